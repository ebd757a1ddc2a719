/** A person's word on what Claude was given: shown at once, kept by the daemon, taken back by the same key. */
import { signal } from "@preact/signals";
import type { InjectionHeadJson } from "#api";
import { answerOf, api } from "./api.ts";
import { complain, toast } from "./toasts.ts";

type Word = InjectionHeadJson["feedback"];
type Judged = InjectionHeadJson;

/** The verdicts that were given here, by the injection; lists ask for it before what they were answered. */
const said = signal<ReadonlyMap<number, Word>>(new Map());

export const feedback = ({ id, feedback: known }: Judged): Word => {
  const here = said.value.get(id);
  return here === undefined ? known : here;
};

const note = (id: number, word: Word): void => {
  said.value = new Map([...said.peek(), [id, word]]);
};

/** Says it, or takes it back where it was said. */
export async function judge(head: Judged, word: NonNullable<Word>): Promise<void> {
  const before = feedback(head);
  const after = before === word ? null : word;
  if (await keep(head.id, before, after))
    toast(after === null ? "Note removed" : notes[after], {
      undo: () => void keep(head.id, after, before),
    });
}

const notes = { wrong: "Noted: this was wrong", missing: "Noted: something was missing" } as const;

async function keep(id: number, before: Word, after: Word): Promise<boolean> {
  note(id, after);
  const answer = await answerOf(
    api.injections[":id"].$post({ param: { id: `${id}` }, json: { feedback: after } }),
  );
  if (!answer.ok) note(id, before);
  complain(answer, "Could not save");
  return answer.ok;
}
