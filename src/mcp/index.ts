/** The door of the MCP room: the same questions that people ask, asked by a model. */
export { createMcp } from "./server.ts";
export type { McpDeps, McpScope } from "./client.ts";
export { openingOf, serveLines } from "./lines.ts";
export type { Opening, Rest } from "./opening.ts";

/** Answers the opening of a connection: loaded before the server, which most of its time it need not be. */
export const loadOpening = async () => import("./opening.ts");
