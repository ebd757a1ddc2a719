/** The door of the viewer room, on the daemon's side: the page's files and nothing of the page. */
export { filesOf, viewerFiles, type BundleHeader } from "./files.ts";
