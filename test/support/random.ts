/** Seeded random numbers, so that a failed run can be run again. Tests and benchmarks only. */

export interface Dice {
  /** From 0 up to 1. */
  readonly next: () => number;
  /** An integer from 0 up to, not including, `count`. */
  readonly below: (count: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** A pronounceable word that means nothing. */
  readonly word: () => string;
}

const onsets = ["b", "br", "d", "dr", "f", "g", "k", "kr", "l", "m", "n", "p", "s", "t", "v", "z"];
const vowels = ["a", "e", "i", "o", "u"];
const codas = ["l", "m", "n", "r", "x", "k"];

/** mulberry32: small, and good enough to choose moments and words. */
export function createDice(...seed: readonly number[]): Dice {
  let state = seed.reduce((mixed, part) => Math.imul(mixed ^ part, 0x9e_37_79_b1) + 1, 0x2545) | 0;
  const next = (): number => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number): number => Math.floor(next() * count);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;
  return {
    next,
    below,
    pick,
    chance: (share) => next() < share,
    word: () => [0, 1, 2].map(() => pick(onsets) + pick(vowels)).join("") + pick(codas),
  };
}
