/**
 * The opening of an MCP connection: clients say who they are and ask which tools there are, and most sessions never
 * call one. These answers are the same in every run, so the build writes out what the SDK's server says (`openingOf`),
 * and the server itself is loaded by the first message that is anything else. It is then told what was said so far, and
 * its answer to that, which the client has already, is kept back.
 */
import { isRecord, type Json, parseJson } from "#kit";

/** The server's answers, by the revision of the protocol that the client names. */
export type Opening = Readonly<
  Record<string, { readonly initialize: object; readonly tools: object }>
>;

/** The part that is left for the server: lines, those that it has to be told included, and the way for its answers. */
export interface Rest {
  readonly input: AsyncIterable<string | null>;
  readonly write: (line: string) => void;
}

interface Asked {
  readonly id: string | number;
  readonly method: string;
  readonly params: unknown;
}

/** Answers as long as it can; resolves to what is left, or to null when the client has left. Never rejects. */
export async function answerOpening(
  input: AsyncIterable<string | null>,
  write: (line: string) => void,
  opening: Opening,
): Promise<Rest | null> {
  const lines = input[Symbol.asyncIterator]();
  const answer = (id: string | number, result: object): void =>
    write(`${JSON.stringify({ result, jsonrpc: "2.0", id })}\n`);
  let met: Met = nobody;
  try {
    for (;;) {
      const { done, value: line } = await lines.next();
      if (done === true) return null;
      const next = line === null ? null : answered(line, { met, opening, answer });
      if (next === null) return restOf(met, { line, lines, write });
      met = next;
    }
  } catch {
    return null; // The client's end broke, or it no longer reads.
  }
}

/** The client that was met, its revision, and the lines that the server has to be told. */
interface Met {
  readonly id: string | number | null;
  readonly version: string | null;
  readonly said: readonly string[];
}

const nobody: Met = { id: null, version: null, said: [] };

interface Answering {
  readonly met: Met;
  readonly opening: Opening;
  readonly answer: (id: string | number, result: object) => void;
}

/** `answered` gives the state after a line of the opening; null for one that the server has to see. */
function answered(line: string, { met, opening, answer }: Answering): Met | null {
  if (met.version !== null && isInitialized(line)) return { ...met, said: [...met.said, line] };
  const asked = askedIn(line);
  if (asked === null) return null;
  const known = met.version === null ? undefined : opening[met.version];
  if (known === undefined) return greeted(line, asked, { opening, answer });
  if (asked.method !== "tools/list" || !isNothing(asked.params)) return null;
  answer(asked.id, known.tools);
  return met;
}

function greeted(
  line: string,
  { id, method, params }: Asked,
  { opening, answer }: Omit<Answering, "met">,
): Met | null {
  const version = method === "initialize" ? versionIn(params, opening) : null;
  if (version === null) return null;
  answer(id, opening[version]?.initialize ?? {});
  return { id, version, said: [line] };
}

function isInitialized(line: string): boolean {
  const { jsonrpc, method, ...more } = recordIn(line) ?? {};
  const isPlain = Object.keys(more).length === 0;
  return jsonrpc === "2.0" && method === "notifications/initialized" && isPlain;
}

interface Left {
  readonly line: string | null;
  readonly lines: AsyncIterator<string | null>;
  readonly write: (line: string) => void;
}

function restOf({ id, said }: Met, { line, lines, write }: Left): Rest {
  let isKnown = id === null;
  return {
    input: (async function* () {
      yield* said;
      yield line;
      yield* { [Symbol.asyncIterator]: () => lines };
    })(),
    write: (text) => {
      if (isKnown || askedId(text) !== id) return write(text);
      isKnown = true;
    },
  };
}

const askedId = (text: string): unknown => recordIn(text)?.["id"];

function recordIn(text: string): Json | null {
  const value = parseJson(text);
  return isRecord(value) ? value : null;
}

/** A request that is nothing but a request. */
function askedIn(line: string): Asked | null {
  const { jsonrpc, id, method, params, ...more } = recordIn(line) ?? {};
  const isId = typeof id === "string" || Number.isSafeInteger(id);
  if (jsonrpc !== "2.0" || typeof method !== "string" || !isId || Object.keys(more).length > 0)
    return null;
  return { id: id as string | number, method, params };
}

/** The revision that a plain greeting names; null where the server has to look at it. */
function versionIn(params: unknown, opening: Opening): string | null {
  if (!isRecord(params)) return null;
  const { protocolVersion, capabilities, clientInfo, ...more } = params;
  if (typeof protocolVersion !== "string" || Object.keys(more).length > 0) return null;
  if (!isPlainClient(clientInfo) || !isRecord(capabilities)) return null;
  const isKnown = Object.hasOwn(opening, protocolVersion);
  return isKnown && Object.entries(capabilities).every(isPlainCapability) ? protocolVersion : null;
}

const isPlainClient = (client: unknown): boolean =>
  isRecord(client) &&
  typeof client["name"] === "string" &&
  typeof client["version"] === "string" &&
  Object.entries(client).every(([name, value]) => isPlainFact(name, value));

const isPlainFact = (name: string, value: unknown): boolean =>
  /^(?:name|version|title|description)$/.test(name) && typeof value === "string";

/** `isPlainCapability` accepts a capability of a client without particulars, but whether it tells of changes. */
const isPlainCapability = ([name, value]: readonly [string, unknown]): boolean =>
  /^(?:roots|sampling|elicitation)$/.test(name) &&
  isRecord(value) &&
  Object.entries(value).every(
    ([key, one]) => name === "roots" && key === "listChanged" && typeof one === "boolean",
  );

const isNothing = (params: unknown): boolean =>
  params === undefined || (isRecord(params) && Object.keys(params).length === 0);

// Bytes as lines, each within a bound.

/** No tool takes more than a long text to remember; the API refuses above 1 MB. */
export const lineBytesMax = 4 * 1_024 * 1_024;
const lineFeed = 10;

/** Lines of a stream of bytes, empty ones left out; null for one above the limit, whose bytes are not kept. */
export async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string | null> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  const finish = (): readonly (string | null)[] => {
    const line = bytes > lineBytesMax ? null : Buffer.concat(parts).toString("utf8").trim();
    parts = [];
    bytes = 0;
    return line === "" ? [] : [line];
  };
  const add = (piece: Uint8Array): void => {
    bytes += piece.length;
    if (bytes <= lineBytesMax) parts.push(piece);
    else parts = [];
  };
  for await (const chunk of input) {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
      add(chunk.subarray(from, at));
      yield* finish();
      from = at + 1;
    }
    add(chunk.subarray(from));
  }
  yield* finish();
}
