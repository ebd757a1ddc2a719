/**
 * The one way to the daemon: every request carries the token in a header, and what each answer says about the line is
 * remembered for everybody (`connection`).
 */
import { signal } from "@preact/signals";
import { forgetToken, tokenOf } from "./token.ts";

/** `locked`: the token is missing or wrong. `offline`: nobody answers; asked again until somebody does. */
export const connection = signal<"open" | "locked" | "offline">("open");
/** Counts up whenever the line is back after a break: what is shown asks again. */
export const reconnects = signal(0);

const lookAgainMs = 2_000;

/** `fetch` with the token. Notes 401 and silence; rejects as `fetch` does. */
export async function authorizedFetch(
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> {
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

function lock(): void {
  forgetToken();
  connection.value = "locked";
}

function lost(): void {
  if (connection.peek() !== "open") return;
  connection.value = "offline";
  setTimeout(() => void lookAgain(), lookAgainMs);
}

function reopened(): void {
  connection.value = "open";
  reconnects.value += 1;
}

/** Asks for a sign of life. Also what the button "Try again" does. */
export async function lookAgain(): Promise<void> {
  if (connection.peek() !== "offline") return;
  try {
    const reply = await fetch("/api/health");
    if (reply.ok) return reopened();
  } catch {
    // Still nobody there.
  }
  setTimeout(() => void lookAgain(), lookAgainMs);
}
