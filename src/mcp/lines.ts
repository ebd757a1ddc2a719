/**
 * JSON-RPC over lines of text, more forgiving than the SDK's own transport: a line that is no message or too long is
 * answered with an error instead of ending the connection, and what was asked before the end of input is still
 * answered. Must not know what the messages mean.
 */
import {
  isJSONRPCRequest,
  parseJSONRPCMessage,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { lineBytesMax } from "./line-stream.ts";
import type { Mcp } from "./server.ts";

export interface LineStreams {
  /** Lines without their ends; null = one that was too long. */
  readonly input: AsyncIterable<string | null>;
  /** Writes one line, its end included. Throws when the reader is gone. */
  readonly write: (line: string) => void;
}

/** What was asked gets this long for its answer after the client has closed its end. */
const lastAnswersMs = 10_000;

const parseError = -32_700;
const invalidRequest = -32_600;

/**
 * Serves until input ends or the reader is gone; resolves when every answer that could be given is out. Never rejects.
 */
export async function serveLines(mcp: Mcp, streams: LineStreams): Promise<void> {
  const wire = createWire(streams);
  const handle = serveStdio(mcp.create, { transport: wire.transport });
  try {
    for await (const line of streams.input) {
      if (wire.isClosed()) break;
      wire.take(line);
    }
  } catch {
    // The client's end broke: as good as its end.
  }
  await wire.answered(lastAnswersMs);
  await handle.close();
}

interface Wire {
  readonly transport: Transport;
  /** One line of input; null = one that was too long. */
  readonly take: (line: string | null) => void;
  readonly isClosed: () => boolean;
  /** Resolves once nothing that was asked waits for an answer, at the latest after `ms`. */
  readonly answered: (ms: number) => Promise<void>;
}

function createWire({ write }: LineStreams): Wire {
  const waiting = new Set<string | number>();
  const drained = Promise.withResolvers<null>();
  let isEnding = false;
  let isClosed = false;
  const settle = (): void => {
    if ((isEnding && waiting.size === 0) || isClosed) drained.resolve(null);
  };
  const transport: Transport = {
    start: async () => undefined,
    send: async (message) => {
      send(message);
      if (!("method" in message) && message.id !== undefined) waiting.delete(message.id);
      settle();
    },
    close: async () => {
      isClosed = true;
      settle();
      transport.onclose?.();
    },
  };
  const send = (message: object): void => {
    try {
      if (!isClosed) write(`${JSON.stringify(message)}\n`);
    } catch {
      isClosed = true; // The reader is gone.
    }
  };
  const refuse = (code: number, message: string): void =>
    send({ jsonrpc: "2.0", id: null, error: { code, message } });
  return {
    transport,
    take: (line) => {
      const message = line === null ? null : messageIn(line);
      if (line === null) refuse(invalidRequest, `A line may hold ${lineBytesMax} bytes.`);
      else if (message === null) refuse(...faultIn(line));
      else {
        if (isJSONRPCRequest(message)) waiting.add(message.id);
        else if ("method" in message && message.method === "notifications/cancelled")
          waiting.delete(cancelledBy(message));
        transport.onmessage?.(message);
      }
    },
    isClosed: () => isClosed,
    answered: async (ms) => {
      isEnding = true;
      settle();
      const timer = setTimeout(() => drained.resolve(null), ms);
      await drained.promise;
      clearTimeout(timer);
    },
  };
}

/** A cancelled request may stay without an answer. */
function cancelledBy(message: JSONRPCMessage): string | number {
  const params = "params" in message ? message.params : undefined;
  const id = params?.["requestId"];
  return typeof id === "string" || typeof id === "number" ? id : "";
}

function messageIn(line: string): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(JSON.parse(line));
  } catch {
    return null; // No JSON, or JSON that is no message.
  }
}

/** Which of the two it is; arrays are the batches of older revisions, which clients no longer send. */
function faultIn(line: string): readonly [code: number, message: string] {
  try {
    const value: unknown = JSON.parse(line);
    const what = Array.isArray(value) ? "Batches are not supported" : "This is no request";
    return [invalidRequest, `${what}: send one JSON-RPC 2.0 message a line.`];
  } catch {
    return [parseError, "This line is no JSON."];
  }
}
