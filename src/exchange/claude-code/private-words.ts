/** What was private in a transcript that is imported, as its other turns are held against it. In memory only. */
import { leavesNoRecord } from "#memory";
import { tellingMarksOf, tellingMarksOfTask, tellingWordsIn } from "#kit";
import type { TranscriptTurn } from "#claude-code";
import type { ReaderDeps } from "../source.ts";

/** The texts that a turn's user sent. */
export const textsOf = (told: TranscriptTurn): readonly string[] =>
  [told.command?.text ?? [], told.prompts.map(({ text }) => text)].flat();

export interface Overheard {
  /** Takes note of a turn, whether it is imported or not. */
  readonly hear: (told: TranscriptTurn) => void;
  /** Words that the user said in the open. */
  readonly open: (prompt: string) => void;
  readonly scrub: (text: string) => string;
}

export function createOverheard({ gate, withoutRetold }: ReaderDeps): Overheard {
  const marks = new Set<string>();
  const known = new Set<string>();
  const of = {
    has: (mark: string): boolean => marks.has(mark),
    isKnown: (word: string): boolean => known.has(word),
  };
  return {
    hear: (told) => {
      for (const text of textsOf(told))
        for (const mark of leavesNoRecord(text)
          ? tellingMarksOfTask(text)
          : gate.clean(text).hidden.flatMap(tellingMarksOf))
          marks.add(mark);
    },
    open: (prompt) => {
      for (const { word } of tellingWordsIn(prompt)) known.add(word);
    },
    scrub: (text) => (marks.size === 0 ? text : withoutRetold(text, of)),
  };
}
