/** Folders of a session's archive. */
import { archiveUri } from "#memory";

/** The directory that holds a session's moments or narratives. */
export function archiveFolder(
  sessionId: string,
  part: "moments" | "narrative" | "exchanges",
): string {
  const first = archiveUri({ sessionId, part, n: 1 });
  return first.slice(0, first.lastIndexOf("/"));
}
