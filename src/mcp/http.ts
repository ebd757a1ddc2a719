/** MCP over HTTP: one request, one answer, nothing kept between them. Who may ask is the server's business. */
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Mcp } from "./server.ts";

/** Answers a request to the MCP endpoint, of the current protocol and of the one before. */
export function createHttpMcp(mcp: Mcp): (request: Request) => Promise<Response> {
  const handler = createMcpHandler(mcp.create);
  return (request) => handler.fetch(request);
}
