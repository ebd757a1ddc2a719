/** The door of the MCP room: the same questions that people ask, asked by a model. */
export { createHttpMcp } from "./http.ts";
export { createMcp, type Mcp } from "./server.ts";
export type { McpDeps, McpScope } from "./deps.ts";
export { serveLines, type LineStreams } from "./lines.ts";
export { openingOf } from "./opening-of.ts";
export type { Opening, Rest } from "./opening.ts";

/** Answers the opening of a connection: loaded before the server, which most of its time it need not be. */
export const loadOpening = async () => import("./opening.ts");
