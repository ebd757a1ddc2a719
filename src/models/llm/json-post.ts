/**
 * Questions to a model server that are no conversations (embeddings): one JSON body there, one back, with the keys,
 * addresses and deadlines of this room.
 */
import type { ProviderError } from "#domain";
import { err, ok, type Result, parseJson } from "#kit";
import { openAccess } from "./key.ts";
import { exchange, type ModelContext, textOf } from "./http.ts";

interface JsonPostTarget {
  /** Names the key file: `keys/<provider>`. */
  readonly provider: string;
  readonly baseUrl: string;
  readonly apiKeyEnv: string;
  readonly needsKey: boolean;
}

type JsonPost = (
  path: string,
  body: unknown,
  timeoutMs: number,
) => Promise<Result<unknown, ReturnType<typeof failureOf>>>;

/** A batch of vectors as text: thousands of numbers for each of some dozen texts. */
const replyBytesMax = 32_000_000;

/** Error: in words, what is missing in the settings. */
export function openJsonPost(
  deps: ModelContext,
  { provider, baseUrl, apiKeyEnv, needsKey }: JsonPostTarget,
): Result<JsonPost, string> {
  const opened = openAccess(deps, {
    setting: "embedder.base_url",
    address: baseUrl,
    key: { provider, variable: apiKeyEnv },
    needsKey,
  });
  if (!opened.ok) return opened;
  const { key: secret, baseUrl: address } = opened.value;
  const headers: Readonly<Record<string, string>> =
    secret === null ? {} : { authorization: `Bearer ${secret}` };
  return ok(async (path, body, timeoutMs) => {
    const request = { url: `${address}${path}`, headers, body, timeoutMs, secret };
    const answered = await exchange(opened.value, request, async (response) =>
      ok(parseJson(await textOf(response, replyBytesMax))),
    );
    return answered.ok ? answered : err(failureOf(answered.error, baseUrl));
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
