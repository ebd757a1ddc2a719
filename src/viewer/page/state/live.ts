/**
 * The live feed: one stream for the whole page, read with `fetch` so that the token travels in a header. It goes on
 * where it broke, and tells everybody that shows memories when some have changed.
 */
import { signal } from "@preact/signals";
import { authorizedFetch, connection, doubt, reconnects } from "./connection.ts";
import { createEventParser, type ServerEvent } from "./events.ts";

export const liveState = signal<"connecting" | "live" | "lost">("connecting");
/** Counts up when memories that are shown may be out of date. */
export const changes = signal(0);
/** Counts up when a prompt was answered, and when the stream begins: what happened before is asked for then. */
export const exchanges = signal(0);

const againMsMin = 1_000;
const againMsMax = 15_000;
/**
 * The daemon sends a sign of life every five seconds; a line that is silent for longer is dead (a laptop that slept).
 */
const silenceMsMax = 20_000;
/** Several memories of one turn are one change, and so are a prompt and what was sent for it. */
const settleMs = 400;

let lastId = "";
let isStarted = false;
let changesNoted = 0;
let settling: ReturnType<typeof setTimeout> | undefined;
let answering: ReturnType<typeof setTimeout> | undefined;

/** Says that memories changed: by the stream, or by something done here. */
export function noteChange(): void {
  changesNoted += 1;
  clearTimeout(settling);
  settling = setTimeout(() => (changes.value += 1), settleMs);
}

/** Another text after every change and break, those included that `changes` does not tell of yet. */
export const stampNow = (): string => `${changesNoted}.${reconnects.peek()}`;

/** Starts listening, unless it does already. */
export function startLive(): void {
  if (isStarted) return;
  isStarted = true;
  void listenForever();
}

async function listenForever(): Promise<void> {
  let waitMs = againMsMin;
  for (;;) {
    const heard = await listenOnce();
    waitMs = heard ? againMsMin : Math.min(waitMs * 2, againMsMax);
    // The stream ends when the daemon does: from then on the port may be somebody else's.
    doubt();
    if (connection.peek() !== "locked") liveState.value = "lost";
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    if (connection.peek() === "locked") break;
  }
  isStarted = false;
}

/** One connection, to its end. Resolves to whether anything was heard. Never rejects. */
async function listenOnce(): Promise<boolean> {
  const stop = new AbortController();
  let heard = false;
  try {
    const headers = lastId === "" ? {} : { "last-event-id": lastId };
    const reply = await authorizedFetch("/api/events", { headers, signal: stop.signal });
    if (!reply.ok || reply.body === null) return false;
    liveState.value = "live";
    const parse = createEventParser(take);
    const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const silence = setTimeout(() => stop.abort(), silenceMsMax);
      const { done, value } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return heard;
      heard = true;
      parse(value);
    }
  } catch {
    return heard; // The line broke; the caller tries again.
  }
}

function noteExchange(): void {
  clearTimeout(answering);
  answering = setTimeout(() => (exchanges.value += 1), settleMs);
}

function take({ id, event }: ServerEvent): void {
  if (id !== "") lastId = id;
  if (event === "memory" || event === "reset") noteChange();
  noteExchange();
}
