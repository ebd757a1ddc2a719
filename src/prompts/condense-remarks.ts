/**
 * Condenses the texts of the agent between its tools to the sentences that tell something. Most of them announce the
 * next step: that is the last sentence before a tool call, whatever the language. Pure.
 */
import { plainAnswer, rowOf, sentencesOf, type Sentence } from "./condense-answer.ts";

export interface Remarks {
  /** Characters of the sentences that tell something. */
  readonly chars: number;
  /** About so many characters of them, in one line: first those that name most, then the longest. */
  readonly shown: (charsMax: number) => string;
}

const announces = /[:：]$/u;
/** A shorter sentence tells only where it names something; the last of several, only where it gives a reason. */
const charsMin = { only: 40, last: 120, other: 20 } as const;
const reasonWeight = 2;

export function remarksOf(texts: readonly string[]): Remarks {
  let ranked: readonly Sentence[] | null = null;
  const sentences = (): readonly Sentence[] =>
    (ranked ??= tellingIn(texts).toSorted(
      (a, b) => b.weight - a.weight || b.said.length - a.said.length || a.from - b.from,
    ));
  return {
    get chars() {
      return sentences().reduce((sum, { said }) => sum + said.length + 3, 0);
    },
    shown: (charsMax) => {
      let charsLeft = charsMax;
      return rowOf(
        sentences().filter(({ said }) => {
          if (said.length + 3 > charsLeft) return false;
          charsLeft -= said.length + 3;
          return true;
        }),
      );
    },
  };
}

function tellingIn(texts: readonly string[]): readonly Sentence[] {
  let begin = 0;
  return texts.flatMap((text) => {
    const plain = plainAnswer(text);
    const all = sentencesOf(plain);
    const from = begin;
    begin += plain.length + 1;
    return all
      .filter((sentence, at) => tells(sentence, placeOf(at, all.length)))
      .map((one) => ({
        at: one.at,
        said: one.said,
        weight: one.weight,
        from: from + one.from,
        to: from + one.to,
      }));
  });
}

type Place = keyof typeof charsMin;

const placeOf = (at: number, count: number): Place =>
  count === 1 ? "only" : at === count - 1 ? "last" : "other";

const tells = ({ said, weight }: Sentence, place: Place): boolean =>
  !announces.test(said) &&
  (weight >= (place === "last" ? reasonWeight : 1) || said.length >= charsMin[place]);
