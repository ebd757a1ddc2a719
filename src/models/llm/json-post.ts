/**
 * Questions to a model server that are no conversations (embeddings): one JSON body there, one back, with the keys,
 * addresses and deadlines of this room.
 */
import type { ProviderError } from "#domain";
import { err, ok, type Result, parseJson } from "#kit";
import { addressOf, findKey, keepLoopbackDirect, missingKey, trustingFetch } from "./key.ts";
import { exchange, type ModelContext, textOf } from "./http.ts";

export interface JsonPostTarget {
  /** The settings' table, for messages: `embedder`. */
  readonly section: string;
  /** Names the key file: `keys/<provider>`. */
  readonly provider: string;
  readonly baseUrl: string;
  readonly apiKeyEnv: string;
  readonly needsKey: boolean;
}

export interface JsonPost {
  readonly post: (
    path: string,
    body: unknown,
    timeoutMs: number,
  ) => Promise<Result<unknown, { readonly reason: string; readonly retryAfterMs: number | null }>>;
  readonly close: () => void;
}

/** A batch of vectors as text: thousands of numbers for each of some dozen texts. */
const replyBytesMax = 32_000_000;

/** Error: in words, what is missing in the settings. */
export function openJsonPost(deps: ModelContext, target: JsonPostTarget): Result<JsonPost, string> {
  const place = {
    home: deps.home,
    env: deps.env,
    provider: target.provider,
    variable: target.apiKeyEnv,
  };
  const key = findKey(place);
  if (!key.ok) return err(key.error);
  if (key.value === null && target.needsKey) return err(missingKey(place));
  const secret = key.value?.value ?? null;
  const address = addressOf(target.baseUrl, { hasKey: secret !== null });
  if (!address.ok) return err(`${target.section}.base_url: ${address.error}`);
  keepLoopbackDirect(process.env);
  const closing = new AbortController();
  const http = {
    fetch: deps.fetch ?? trustingFetch(process.env),
    clock: deps.clock,
    closing: closing.signal,
  };
  return ok({
    post: async (path, body, timeoutMs) => {
      const headers: Readonly<Record<string, string>> =
        secret === null ? {} : { authorization: `Bearer ${secret}` };
      const url = `${address.value}${path}`;
      const answered = await exchange(
        http,
        { url, headers, body, timeoutMs, secret },
        async (response) => ok(parseJson(await textOf(response, replyBytesMax))),
      );
      return answered.ok ? answered : err(failureOf(answered.error, target.baseUrl));
    },
    close: () => closing.abort(),
  });
}

const failureOf = (
  error: ProviderError,
  address: string,
): { readonly reason: string; readonly retryAfterMs: number | null } => ({
  reason:
    error.type === "llm.timeout"
      ? `${address} did not answer within ${error.afterMs} ms`
      : error.type === "llm.rate-limited"
        ? `${address} asks for a pause`
        : `${address}: ${"detail" in error ? error.detail : error.type}`,
  retryAfterMs: error.type === "llm.rate-limited" ? error.retryAfterMs : null,
});
