/** Addresses of model APIs: whether one may be used, and how paths are put to it. Pure. */
import { err, ok } from "#kit";
import type { Result } from "#kit";

/**
 * The address without a trailing slash or `drop`, or in words why it may not be used. A key never crosses a network in
 * the clear; without a key that is the user's own affair (a model in the local network).
 */
export function addressOf(
  text: string,
  use: { readonly hasKey: boolean; readonly drop?: RegExp },
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
