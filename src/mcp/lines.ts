/**
 * JSON-RPC over lines of text, more forgiving than the SDK's own transport: a line that is no message or too long is
 * answered with an error instead of ending the connection, and what was asked before the end of input is still
 * answered. Must not know what the messages mean.
 */
import {
  isJSONRPCRequest,
  parseJSONRPCMessage,
  SUPPORTED_PROTOCOL_VERSIONS,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { lineBytesMax, type Opening } from "./opening.ts";
import type { Mcp } from "./server.ts";

export interface LineStreams {
  /** Lines without their ends; null = one that was too long. */
  readonly input: AsyncIterable<string | null>;
  /** Writes one line, its end included. Throws when the reader is gone. */
  readonly write: (line: string) => void;
}

/** The time for the last answers after the client has closed its end. */
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

function createWire({ write }: LineStreams) {
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
      answer(message);
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
  const batches = createBatches(send);
  const answer = (message: JSONRPCMessage): void => {
    if (!batches.take(message)) send(message);
  };
  return {
    transport,
    take: createTaker({ transport, waiting, batches, answer, send }),
    isClosed: (): boolean => isClosed,
    /** Resolves once nothing that was asked waits for an answer, at the latest after `ms`. */
    answered: async (ms: number): Promise<void> => {
      isEnding = true;
      settle();
      const timer = setTimeout(() => drained.resolve(null), ms);
      await drained.promise;
      clearTimeout(timer);
    },
  };
}

interface Taking {
  readonly transport: Transport;
  readonly waiting: Set<string | number>;
  readonly batches: Batches;
  readonly answer: (message: JSONRPCMessage) => void;
  readonly send: (message: object) => void;
}

/** Takes lines; null = one that was too long. */
function createTaker(taking: Taking): (line: string | null) => void {
  const { transport, waiting, batches, answer, send } = taking;
  let hasBatches = false;
  const refuse = (code: number, message: string): void => send(faultOf(code, message));
  const takeMessage = (message: JSONRPCMessage): void => {
    if (isJSONRPCRequest(message)) {
      if (message.method === "initialize") {
        const version = message.params?.["protocolVersion"];
        if (typeof version !== "string")
          return answer({ jsonrpc: "2.0", id: message.id, error: noVersion });
        hasBatches = version === batchVersion;
      }
      waiting.add(message.id);
    } else if ("method" in message && message.method === "notifications/cancelled") {
      const id = cancelledBy(message);
      waiting.delete(id);
      batches.leave(id);
    }
    transport.onmessage?.(message);
  };
  const takeBatch = (values: readonly unknown[]): void => {
    const messages = values.map(messageOf);
    batches.begin(
      messages
        .filter((message) => message !== null)
        .filter(isJSONRPCRequest)
        .map(({ id }) => id),
      messages.filter((message) => message === null).map(() => faultOf(...noMessage)),
    );
    for (const message of messages) if (message !== null) takeMessage(message);
  };
  return (line) => {
    if (line === null) return refuse(invalidRequest, `A line may hold ${lineBytesMax} bytes.`);
    const value = valueIn(line);
    if (value === undefined) return refuse(parseError, "This line is no JSON.");
    if (Array.isArray(value) && hasBatches && value.length > 0) return takeBatch(value);
    if (Array.isArray(value)) return refuse(...noBatch);
    const message = messageOf(value);
    if (message === null) refuse(...noMessage);
    else takeMessage(message);
  };
}

/** A cancelled request may stay without an answer. */
function cancelledBy(message: JSONRPCMessage): string | number {
  const params = "params" in message ? message.params : undefined;
  const id = params?.["requestId"];
  return typeof id === "string" || typeof id === "number" ? id : "";
}

/** The one revision of the protocol in which servers must take batches. */
const batchVersion = "2025-03-26";

const one = "send one JSON-RPC 2.0 message a line.";
const noMessage = [invalidRequest, `This is no request: ${one}`] as const;
const noBatch = [
  invalidRequest,
  `Batches are supported in protocol ${batchVersion} only: ${one}`,
] as const;
const noVersion = {
  code: -32_602,
  message: "initialize needs params.protocolVersion, the revision of the protocol as text.",
};

const faultOf = (code: number, message: string) => ({
  jsonrpc: "2.0",
  id: null,
  error: { code, message },
});

/** Undefined for a line that is no JSON. */
function valueIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // JSON.parse is the only thing here that throws.
  }
}

function messageOf(value: unknown): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return null; // JSON that is no message.
  }
}

type Batches = ReturnType<typeof createBatches>;

interface Batch {
  readonly waiting: Set<string | number>;
  readonly answers: object[];
}

function createBatches(send: (message: object) => void) {
  const batchOf = new Map<string | number, Batch>();
  const settle = (batch: Batch): void => {
    if (batch.waiting.size === 0 && batch.answers.length > 0) send(batch.answers);
  };
  const leave = (id: string | number): Batch | undefined => {
    const batch = batchOf.get(id);
    batchOf.delete(id);
    batch?.waiting.delete(id);
    return batch;
  };
  return {
    /** Answers of these requests leave together, with what is answered already. */
    begin: (ids: readonly (string | number)[], answered: readonly object[]): void => {
      const batch: Batch = { waiting: new Set(ids), answers: [...answered] };
      for (const id of ids) batchOf.set(id, batch);
      settle(batch);
    },
    /** True when the message waits for the rest of its batch, or has left with it. */
    take: (message: JSONRPCMessage): boolean => {
      const id = "method" in message ? undefined : message.id;
      const batch = id === undefined ? undefined : leave(id);
      if (batch === undefined) return false;
      batch.answers.push(message);
      settle(batch);
      return true;
    },
    /** A request that may stay without an answer. */
    leave: (id: string | number): void => {
      const batch = leave(id);
      if (batch !== undefined) settle(batch);
    },
  };
}

/**
 * Asks the SDK's server for its opening of a connection, in each revision of the protocol that begins with a greeting:
 * the build writes the answers out.
 */
export async function openingOf(mcp: Mcp): Promise<Opening> {
  const found: [string, { initialize: object; tools: object }][] = [];
  for (const protocolVersion of SUPPORTED_PROTOCOL_VERSIONS) {
    const clientInfo = { name: "build", version: "1" };
    const params = { protocolVersion, capabilities: {}, clientInfo };
    const [initialize, tools] = await answersTo(mcp, [
      { jsonrpc: "2.0", id: 1, method: "initialize", params },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/list" },
    ]);
    if (initialize?.result === undefined || tools?.result === undefined)
      throw new Error(`no answer in revision ${protocolVersion}`);
    found.push([protocolVersion, { initialize: initialize.result, tools: tools.result }]);
  }
  return Object.fromEntries(found);
}

async function answersTo(
  mcp: Mcp,
  messages: readonly object[],
): Promise<readonly { readonly result?: object }[]> {
  const answers: { readonly result?: object }[] = [];
  await serveLines(mcp, {
    input: (async function* () {
      yield* messages.map((message) => JSON.stringify(message));
    })(),
    write: (line) => void answers.push(JSON.parse(line) as { readonly result?: object }),
  });
  return answers;
}
