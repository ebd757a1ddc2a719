/** What the MCP server says at the opening of a connection, by its scope: the build writes it here. */
import type { Opening } from "#mcp";

/** Null from source: there the server answers itself. */
export const openings: Readonly<Record<"read" | "write", Opening>> | null = null;
