/**
 * Keeps what is said to a model on this machine on this machine. With HTTP_PROXY set, Bun's `fetch` sends even requests
 * for 127.0.0.1 to the proxy, prompts included, unless NO_PROXY names it; it reads that with each request.
 */
import { loopbackHost } from "#domain";

const ownNames = ["localhost", loopbackHost, "::1", "[::1]"] as const;

/** Adds this machine's names to NO_PROXY, in both of its spellings, and leaves what the user put there. */
export function keepLoopbackDirect(env: Record<string, string | undefined>): void {
  const named = `${env["NO_PROXY"] ?? ""},${env["no_proxy"] ?? ""}`
    .split(",")
    .map((name) => name.trim());
  const all = [...new Set([...named, ...ownNames])].filter((name) => name !== "").join(",");
  env["NO_PROXY"] = all;
  env["no_proxy"] = all;
}
