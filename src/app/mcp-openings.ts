/** The openings of the MCP server, by scope: the build writes it here. */
import type { Opening } from "#mcp";

/** Null from source: there the server answers itself. */
export const openings: Readonly<Record<"read" | "write", Opening>> | null = null;
