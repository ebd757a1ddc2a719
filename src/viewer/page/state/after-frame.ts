/** What may be shown a frame later: the row that a key chose is drawn first, and what stands beside it follows. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** The value as it was when the last frame was drawn. */
export function useAfterFrame<Value>(value: Value): Value {
  const late = useSignal(value);
  useEffect(() => {
    late.value = value;
  }, [value]);
  return late.value;
}
