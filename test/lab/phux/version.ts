import { version } from "../../../package.json";

/** The lab's phux has the version of the product it is made for. */
export const phuxVersion = `${version}-lab`;
