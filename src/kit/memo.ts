/** Remembers what a pure function of a text said the last times it was asked. */

/** Longer texts are computed anew unless the caller says otherwise: they seldom come twice, and would be held on to. */
const longTextChars = 2_000;

/**
 * The same function, with its last `max` answers kept (about as many kilobytes). Only for functions whose answer
 * depends on the text alone and is never changed by its callers.
 */
export function memoised<Value>(
  compute: (text: string) => Value,
  max = 1_000,
  textCharsMax = longTextChars,
): (text: string) => Value {
  const known = new Map<string, { readonly value: Value }>();
  return (text) => {
    if (text.length > textCharsMax) return compute(text);
    const found = known.get(text);
    if (found !== undefined) return found.value;
    const value = compute(text);
    // The oldest goes: a Map keeps the order in which keys came.
    if (known.size >= max) known.delete(known.keys().next().value ?? "");
    known.set(text, { value });
    return value;
  };
}
