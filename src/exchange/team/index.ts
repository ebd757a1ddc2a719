/** A team: what is shared with members, what arrives from them, and memories in a repository (docs/team.md). */
export type { TeamContext } from "./text.ts";
export { createInbox } from "./inbox.ts";
export { createOutbox } from "./outbox.ts";
export { answerTeam, refreshFolder } from "./peer.ts";
export type { FolderFile, FolderView } from "./repo.ts";
