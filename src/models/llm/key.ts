/**
 * Opens the way to a model API: its address, and the key for it. A key lies in a file of its own in the home folder,
 * else in the variable that the user's configuration names. Never in a project's files, and never in the environment of
 * a hook: a project shapes that, so the daemon does not inherit keys from it. A daemon that a person starts
 * (`continuity serve`, a user service) sees their variables; for one that a hook started, the file is what works.
 *
 * The file is `keys/<provider>`, mode 0600, one line. One that others could read or have written is refused, not
 * skipped: falling back to another key would spend money without a word.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { err, ok, readText, type Result } from "#kit";
import { loopbackHost } from "#domain";
import type { Fetch, HttpContext, ModelContext } from "./http.ts";

interface KeyPlace {
  /** $CONTINUITY_HOME. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly provider: string;
  /** Name of the variable; empty = none. */
  readonly variable: string;
}

/** A model API as the settings name it. */
export interface Access extends HttpContext {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Null for a server that wants none, as many in a local network do. */
  readonly key: string | null;
  /** Aborts whatever is under way. */
  readonly close: () => void;
}

interface AccessAsk {
  /** Setting of the address, for messages: `llm.gemini.base_url`. */
  readonly setting: string;
  readonly address: string;
  /** End of the address that people may write and that the path adds. */
  readonly drop?: RegExp;
  /** The key's place; null = none is ever sent. */
  readonly key: Omit<KeyPlace, "env" | "home"> | null;
  readonly needsKey: boolean;
}

/** Error: in words, what is missing or wrong in the settings. */
export function openAccess(deps: ModelContext, ask: AccessAsk): Result<Access, string> {
  const place = ask.key === null ? null : { home: deps.home, env: deps.env, ...ask.key };
  const key = place === null ? ok(null) : findKey(place);
  if (!key.ok) return key;
  if (place !== null && ask.needsKey && key.value === null) return err(missingKey(place));
  const address = addressOf(ask.address, { hasKey: key.value !== null, drop: ask.drop });
  if (!address.ok) return err(`${ask.setting}: ${address.error}`);
  keepLoopbackDirect(process.env);
  const closing = new AbortController();
  return ok({
    baseUrl: address.value,
    key: key.value,
    fetch: deps.fetch ?? trustingFetch(process.env),
    clock: deps.clock,
    closing: closing.signal,
    close: () => closing.abort(),
  });
}

const keyCharsMax = 1_000;

/** Null when there is none; an error, in words, when there is one that must not be used. */
export function findKey(place: KeyPlace): Result<string | null, string> {
  const file = join(place.home, "keys", place.provider);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found !== undefined) return readKeyFile(file, found);
  const value = place.variable === "" ? "" : (place.env[place.variable]?.trim() ?? "");
  if (value === "") return ok(null);
  return isKey(value) ? ok(value) : err(`$${place.variable} holds no key`);
}

/** `missingKey` says what to do about a key that is missing. */
export const missingKey = (place: KeyPlace): string =>
  `no key: put it into ${join(place.home, "keys", place.provider)}, mode 0600${
    place.variable === "" ? "" : ` (hooks do not pass on $${place.variable})`
  }`;

type Found = NonNullable<ReturnType<typeof lstatSync>>;

function readKeyFile(file: string, found: Found): Result<string, string> {
  if (!found.isFile()) return err(`${file} is not a regular file`);
  if (process.getuid !== undefined && Number(found.uid) !== process.getuid())
    return err(`${file} is owned by another user`);
  // Windows has no such bits; the profile folder is private there.
  if (process.platform !== "win32" && (Number(found.mode) & 0o077) !== 0)
    return err(`${file} can be read by others; run chmod 600 on it`);
  if (Number(found.size) > keyCharsMax) return err(`${file} holds no key`);
  const value = (readText(file) ?? "").trim();
  return isKey(value) ? ok(value) : err(`${file} holds no key`);
}

/** One word of printable characters: what fits into a header. */
const isKey = (value: string): boolean =>
  value.length > 0 && value.length <= keyCharsMax && /^[\x21-\x7e]+$/.test(value);

// Ways to model APIs: addresses that may be used, the proxy that is passed by, certificates that are trusted.

/**
 * The address without a trailing slash or `drop`, or in words why it may not be used. A key never crosses a network in
 * the clear; without a key that is the user's own affair (a model in the local network).
 */
export function addressOf(
  text: string,
  use: { readonly hasKey: boolean; readonly drop?: RegExp | undefined },
): Result<string, string> {
  if (!URL.canParse(text)) return err(`${JSON.stringify(text.slice(0, 80))} is no address`);
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return err(`${url.protocol}// is no address of a model; http:// or https:// is`);
  if (url.username !== "" || url.password !== "")
    return err("an address must not hold a password; keys have a place of their own");
  if (use.hasKey && url.protocol === "http:" && !isThisMachine(url.hostname))
    return err(`a key is not sent over plain http to ${url.hostname}; use https`);
  const clean = `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  return ok(use.drop === undefined ? clean : clean.replace(use.drop, ""));
}

const isThisMachine = (host: string): boolean =>
  host === "localhost" ||
  host.endsWith(".localhost") ||
  host === "[::1]" ||
  /^127\.\d+\.\d+\.\d+$/.test(host);

// Keeps what is said to a model on this machine on this machine. With HTTP_PROXY set, Bun's `fetch` sends even requests
// for 127.0.0.1 to the proxy, prompts included, unless NO_PROXY names it; it reads that with each request.

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

// `fetch` that trusts what NODE_EXTRA_CA_CERTS names, also when it was set after the start: Bun reads it only then.

type Env = Readonly<Record<string, string | undefined>>;

/** The file is read with each request: it may be renewed, and a missing one is told where it matters. */
export const trustingFetch =
  (env: Env): Fetch =>
  async (url, init) => {
    const file = env["NODE_EXTRA_CA_CERTS"];
    if (!file) return fetch(url, init);
    // Naming it in an import is enough for the runtime to parse all of them (20 ms).
    const { rootCertificates } = await import("node:tls");
    return fetch(url, { ...init, tls: { ca: [...rootCertificates, certificatesIn(file)] } });
  };

function certificatesIn(file: string): string {
  const text = readText(file);
  if (text === null) throw new Error(`the certificates in ${file} cannot be read: see net.ca_file`);
  return text;
}
