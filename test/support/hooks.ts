/**
 * Holds the helpers that the tests of this room share: a temporary home, a gate that is easy to see
 * through, an event.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { homePaths, type HomePaths, type HookEnvelope, type PrivacyGate } from "#domain";

export interface TestHome extends Disposable {
  readonly paths: HomePaths;
}

/** A home folder that is gone when the scope ends. */
export function testHome(): TestHome {
  const root = realpathSync(mkdtempSync(`${tmpdir()}/continuity-test-`));
  return {
    paths: homePaths(root),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Hides `<private>…</private>`, and words that begin with SECRET. */
export const plainGate: PrivacyGate = {
  clean: (text) => {
    const hidden = [...text.matchAll(/<private>([^]*?)<\/private>/g)].map(
      ([, inner]) => inner ?? "",
    );
    const left = text.replace(/<private>[^]*?<\/private>/g, "");
    return {
      text: left.replace(/SECRET\w*/g, "[redacted:test]"),
      hidden,
      whollyPrivate: hidden.length > 0 && left.trim() === "",
      secrets: [...left.matchAll(/SECRET(\w+)/g)].map(([, secret = ""]) => secret),
      redactions: 0,
    };
  },
  cleanAgainst: (text) => ({ text, secrets: [] }),
  isSecretPath: (path) => /\.env$|\.pem$/.test(path),
  readsSecrets: (command) => command.startsWith("op read "),
};

/** An event as a hook makes it; each key its own unless given. */
export function testEnvelope(change: Partial<HookEnvelope> = {}): HookEnvelope {
  return {
    v: 1,
    hook: "submit",
    clientEvent: "UserPromptSubmit",
    key: "0123456789abcdef0123456789abcdef",
    contentHash: "c0ffee",
    anonymous: false,
    atMs: 1_700_000_000_000,
    replayed: false,
    gated: true,
    payload: { session_id: "s-1", prompt_id: "p-1", prompt: "rename the cart" },
    ...change,
  };
}
