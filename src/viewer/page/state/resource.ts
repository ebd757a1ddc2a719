/** A question whose answer a component shows: loading, ready or failed, and asked again when something changed. */
import { useSignal, useSignalEffect, type ReadonlySignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { reconnects } from "./connection.ts";
import type { Answer, Failure } from "./failure.ts";
import { changes } from "./live.ts";

interface Loaded<Value> {
  /** The last answer; stays while a newer one is awaited. */
  readonly value: Value | null;
  readonly failure: Failure | null;
  readonly isLoading: boolean;
}

export interface Resource<Value> {
  readonly state: ReadonlySignal<Loaded<Value>>;
  readonly reload: () => void;
}

/**
 * Asks whenever `key` changes (null = do not ask), when the line is back, and when memories changed. An answer that
 * comes after a newer question is dropped. `keeps`: the answer to another key stays until the new one comes.
 */
export function useResource<Value>(
  key: string | null,
  load: () => Promise<Answer<Value>>,
  options: { readonly keeps?: boolean } = {},
): Resource<Value> {
  const state = useSignal<Loaded<Value>>({ value: null, failure: null, isLoading: key !== null });
  const asked = useRef(0);
  const current = useRef(load);
  current.current = load;
  const ask = async (isNew: boolean): Promise<void> => {
    const mine = (asked.current += 1);
    const before = isNew ? null : state.peek().value;
    state.value = { value: before, failure: null, isLoading: true };
    const answer = await current.current();
    if (mine !== asked.current) return;
    state.value = answer.ok
      ? { value: answer.value, failure: null, isLoading: false }
      : { value: before, failure: answer.failure, isLoading: false };
  };
  // Before the frame, not after it: the question is under way while the page draws what it has.
  useLayoutEffect(() => {
    if (key === null) state.value = { value: null, failure: null, isLoading: false };
    else void ask(options.keeps !== true);
    return () => void (asked.current += 1);
  }, [key]);
  const seen = useRef(`${changes.peek()}.${reconnects.peek()}`);
  useSignalEffect(() => {
    const now = `${changes.value}.${reconnects.value}`;
    if (now === seen.current) return;
    seen.current = now;
    if (key !== null) void ask(false);
  });
  return {
    state,
    reload: () => void ask(false),
  };
}
