/** Remembers what a pure function of a text said the last times it was asked. */

/** Longer texts are computed anew unless the caller says otherwise: they seldom come twice, and would be held on to. */
const longTextChars = 2_000;

/**
 * The same function, with up to `max` of its last answers kept (about as many kilobytes), half of them at least. Only
 * for functions whose answer depends on the text alone and is never changed by its callers.
 */
export function memoised<Value>(
  compute: (text: string) => Value,
  max = 1_000,
  textCharsMax = longTextChars,
): (text: string) => Value {
  // Two generations: taking single entries out of a Map costs more than most of what is computed here.
  let young = new Map<string, Kept<Value>>();
  let old = new Map<string, Kept<Value>>();
  return (text) => {
    if (text.length > textCharsMax) return compute(text);
    const known = young.get(text);
    if (known !== undefined) return known.value;
    const kept = old.get(text) ?? { value: compute(text) };
    if (young.size >= max / 2) [young, old] = [new Map(), young];
    young.set(text, kept);
    return kept.value;
  };
}

interface Kept<Value> {
  readonly value: Value;
}
