import * as v from "valibot";

/** The first thing that is wrong with a document, in words that follow its name: where it is, and what it must be. */
export function firstFault(issues: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): string {
  const [issue] = issues;
  const place = v.getDotPath(issue);
  const rule = issue.received === "undefined" ? "is missing" : issue.message;
  return place === null ? `is not valid: it ${rule}` : `is not valid: ${place} ${rule}`;
}
