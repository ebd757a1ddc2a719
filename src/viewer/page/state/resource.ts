/** A question whose answer a component shows: loading, ready or failed, and asked again when something changed. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { reconnects } from "./connection.ts";
import { answerOf, type Failure, type Reply } from "./failure.ts";
import { changes } from "./live.ts";

interface Loaded<Value> {
  /** The last answer; stays while a newer one is awaited. */
  readonly value: Value | null;
  /** Names the question that `value` answers. */
  readonly key: string;
  readonly failure: Failure | null;
  readonly isLoading: boolean;
}

export interface Resource<Value> extends Loaded<Value> {
  readonly reload: () => void;
}

/**
 * Asks whenever `key` changes, when the line is back, and when memories changed. An answer that comes after a newer
 * question is dropped. `keeps`: the answer to another key stays until the new one comes.
 */
export function useResource<Value>(
  key: string,
  load: () => Promise<Reply<Value>>,
  { keeps = false }: { readonly keeps?: boolean } = {},
): Resource<Value> {
  const state = useSignal<Loaded<Value>>({ value: null, key, failure: null, isLoading: true });
  const asked = useRef(0);
  const current = useRef(load);
  current.current = load;
  const ask = async (isNew: boolean): Promise<void> => {
    const mine = (asked.current += 1);
    const before = state.peek();
    const value = isNew ? null : before.value;
    state.value = { value, key: before.key, failure: null, isLoading: true };
    const answer = await answerOf(current.current());
    if (mine !== asked.current) return;
    state.value = answer.ok
      ? { value: answer.value, key, failure: null, isLoading: false }
      : { value, key: before.key, failure: answer.failure, isLoading: false };
  };
  // Before the frame, not after it: the question is under way while the page draws what it has.
  useLayoutEffect(() => {
    void ask(!keeps);
    return () => void (asked.current += 1);
  }, [key]);
  const seen = useRef(`${changes.peek()}.${reconnects.peek()}`);
  useSignalEffect(() => {
    const now = `${changes.value}.${reconnects.value}`;
    if (now === seen.current) return;
    seen.current = now;
    void ask(false);
  });
  return { ...state.value, reload: () => void ask(false) };
}
