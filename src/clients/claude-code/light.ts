/** The light door: whether the client has our tools, for a hook process. */
export { lookUpFor } from "./tools.ts";
