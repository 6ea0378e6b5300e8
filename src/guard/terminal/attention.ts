/** The tag of a terminal that an agent wants looked at. Focus itself belongs to each attached person in phux. */
export const ATTENTION_TAG = "attention";
