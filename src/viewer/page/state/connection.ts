/**
 * The one way to the daemon. Nothing goes out before the server has proved that it knows the page's token, once at the
 * beginning and anew after every break. Then every request carries the token in a header, and what each answer says
 * about the line is remembered for everybody (`connection`).
 */
import { signal } from "@preact/signals";
import { forgetToken, isProved, tokenOf, wantAddress } from "./token.ts";
import { createClient } from "#api";

/** `locked`: the token is missing or wrong. `offline`: nobody answers; asked again until somebody does. */
export const connection = signal<"open" | "locked" | "offline">("open");
/** Counts up whenever the line is back after a break: what is shown asks again. */
export const reconnects = signal(0);

/** Has this page been open? Then it is locked because its token has ended. */
export const wasOpen = signal(false);

const lookAgainMs = 2_000;

/** The proof that is under way or stands; null = there is none since the last break. */
let proof: Promise<void> | null = null;
let stands = false;
/** Counts breaks: a proof that was asked for before one says nothing of what is behind it. */
let breaks = 0;

/**
 * `fetch` with the token. Notes 401 and silence; rejects as `fetch` does, and when the server has not proved itself.
 */
export async function authorizedFetch(
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> {
  // Without waiting when it stands: what is sent as the page closes must be on its way at once.
  if (!stands) await prove();
  const headers = new Headers(init?.headers);
  headers.set("authorization", `Bearer ${tokenOf() ?? ""}`);
  try {
    const reply = await fetch(input, { ...init, headers });
    if (reply.status === 401) lock();
    else if (connection.peek() === "offline") reopened();
    return reply;
  } catch (error) {
    // A request that we took back says nothing about the line.
    if (init?.signal?.aborted !== true) lost();
    throw error;
  }
}

/** The line broke, or may have: whoever answers next has to prove itself. */
export function doubt(): void {
  breaks += 1;
  proof = null;
  stands = false;
}

/** Resolves once the server has proved itself; everybody who asks meanwhile waits for the same proof. */
function prove(): Promise<void> {
  if (proof !== null) return proof;
  const before = breaks;
  proof = (async (): Promise<void> => {
    try {
      await askForProof();
      if (breaks === before) stands = true;
      wasOpen.value = true;
    } catch (error) {
      if (breaks === before) doubt();
      throw error;
    }
  })();
  return proof;
}

async function askForProof(): Promise<void> {
  const token = tokenOf();
  const isKnown = token !== null && (await isProved(token).catch(rethrowLost));
  if (isKnown) return;
  lock();
  throw new Error("the server did not prove that it knows this page's token");
}

function rethrowLost(error: unknown): never {
  lost();
  throw error;
}

function lock(): void {
  doubt();
  forgetToken();
  wantAddress(location.hash);
  connection.value = "locked";
}

function lost(): void {
  doubt();
  if (connection.peek() !== "open") return;
  connection.value = "offline";
  setTimeout(() => void lookAgain(), lookAgainMs);
}

function reopened(): void {
  connection.value = "open";
  reconnects.value += 1;
}

/** The page was given a token: what is shown asks again. */
export function unlocked(): void {
  doubt();
  reopened();
}

/** Asks for a sign of life. Also what the button "Try again" does. */
export async function lookAgain(): Promise<void> {
  if (connection.peek() !== "offline") return;
  try {
    await prove();
    if (connection.peek() === "offline") reopened();
    return;
  } catch {
    // Still nobody there, or somebody else: then the page is locked by now.
  }
  if (connection.peek() === "offline") setTimeout(() => void lookAgain(), lookAgainMs);
}

// The typed client over this page's own line to the daemon.

export { answerOf } from "./failure.ts";

export const api = createClient(authorizedFetch, location.origin);
