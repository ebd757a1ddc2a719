/** What was private in a transcript that is imported, as its other turns are held against it. In memory only. */
import { leavesNoRecord } from "#memory";
import { tellingMarksOf, tellingMarksOfTask, tellingWordsIn } from "#kit";
import type { TranscriptTurn } from "#clients";
import type { ReaderDeps } from "../source.ts";

/** The texts that a turn's user sent. */
export const textsOf = (told: TranscriptTurn): readonly string[] =>
  [told.command?.text ?? [], told.prompts.map(({ text }) => text)].flat();

export interface Overheard {
  /** Takes note of turns, whether they are imported or not. */
  readonly hear: (read: {
    readonly turns: readonly TranscriptTurn[];
    readonly copied?: readonly TranscriptTurn[];
  }) => void;
  /** Words that the user said in the open. */
  readonly open: (prompt: string) => void;
  readonly scrub: (text: string) => string;
}

export function createOverheard({ gate, withoutRetold }: ReaderDeps): Overheard {
  const marks = new Set<string>();
  const known = new Set<string>();
  const marksOf = (text: string): readonly string[] =>
    leavesNoRecord(text)
      ? tellingMarksOfTask(text)
      : gate.clean(text).hidden.flatMap(tellingMarksOf);
  const of = {
    has: (mark: string): boolean => marks.has(mark),
    isKnown: (word: string): boolean => known.has(word),
  };
  return {
    hear: ({ turns, copied = [] }) => {
      const texts = [...copied, ...turns].flatMap(textsOf);
      for (const mark of texts.flatMap(marksOf)) marks.add(mark);
    },
    open: (prompt) => {
      for (const { word } of tellingWordsIn(prompt)) known.add(word);
    },
    scrub: (text) => (marks.size === 0 ? text : withoutRetold(text, of)),
  };
}
