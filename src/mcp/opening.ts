/**
 * The opening of an MCP connection: clients say who they are and ask which tools there are, and most sessions never
 * call one. These answers are the same in every run, so the build writes out what the SDK's server says (`openingOf`),
 * and the server itself is loaded by the first message that is anything else. It is then told what was said so far, and
 * its answer to that, which the client has already, is kept back.
 */

export { linesOf } from "./line-stream.ts";

/** What the server answers, by the revision of the protocol that the client names. */
export type Opening = Readonly<
  Record<string, { readonly initialize: object; readonly tools: object }>
>;

/** What is left for the server: lines, those that it has to be told included, and the way for its answers. */
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
  const said: string[] = [];
  const met: { hello: { readonly id: string | number; readonly version: string } | null } = {
    hello: null,
  };
  const answer = (id: string | number, result: object): void =>
    write(`${JSON.stringify({ result, jsonrpc: "2.0", id })}\n`);
  try {
    for (;;) {
      const { done, value: line } = await lines.next();
      if (done === true) return null;
      const asked = line === null ? null : askedIn(line);
      const isHello = met.hello === null && asked?.method === "initialize";
      const version = isHello ? versionIn(asked?.params, opening) : (met.hello?.version ?? null);
      if (line !== null && met.hello !== null && isInitialized(line)) said.push(line);
      else if (asked === null || version === null)
        return restOf(said, met.hello?.id, { line, lines, write });
      else if (isHello) {
        met.hello = { id: asked.id, version };
        said.push(line ?? "");
        answer(asked.id, opening[version]?.initialize ?? {});
      } else if (asked.method === "tools/list" && isNothing(asked.params))
        answer(asked.id, opening[version]?.tools ?? {});
      else return restOf(said, met.hello?.id, { line, lines, write });
    }
  } catch {
    return null; // The client's end broke, or it no longer reads.
  }
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

function restOf(
  said: readonly string[],
  helloId: string | number | undefined,
  { line, lines, write }: Left,
): Rest {
  let isKnown = helloId === undefined;
  return {
    input: (async function* () {
      yield* said;
      yield line;
      yield* { [Symbol.asyncIterator]: () => lines };
    })(),
    write: (text) => {
      if (isKnown || askedId(text) !== helloId) return write(text);
      isKnown = true;
    },
  };
}

const askedId = (text: string): unknown => recordIn(text)?.["id"];

function recordIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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
  const isPlain =
    typeof protocolVersion === "string" &&
    Object.hasOwn(opening, protocolVersion) &&
    isRecord(capabilities) &&
    Object.entries(capabilities).every(isPlainCapability) &&
    isRecord(clientInfo) &&
    typeof clientInfo["name"] === "string" &&
    typeof clientInfo["version"] === "string" &&
    Object.entries(clientInfo).every(([name, value]) => isPlainFact(name, value)) &&
    Object.keys(more).length === 0;
  return isPlain ? protocolVersion : null;
}

const isPlainFact = (name: string, value: unknown): boolean =>
  /^(?:name|version|title|description)$/.test(name) && typeof value === "string";

/** What a client can do, without particulars but whether it tells of changes. */
const isPlainCapability = ([name, value]: readonly [string, unknown]): boolean =>
  /^(?:roots|sampling|elicitation)$/.test(name) &&
  isRecord(value) &&
  Object.entries(value).every(
    ([key, one]) => name === "roots" && key === "listChanged" && typeof one === "boolean",
  );

const isNothing = (params: unknown): boolean =>
  params === undefined || (isRecord(params) && Object.keys(params).length === 0);
