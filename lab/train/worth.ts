/**
 * Learns which sentences say something that matters later, from the facts that are marked in the voices.
 *
 *   bun lab/train/worth.ts [--real SENTENCES.json] [--write]
 *
 * `--real` adds sentences of real sessions that somebody labelled, `{voice, by, text, index, count, answers, y}` each: their
 * text stays out of this repository, the weights do not.
 *
 * Prints each voice's area under the curve, that voice left out of the training, beside the fitted one; `--write` puts
 * the weights of all voices into models/learnt/worth.json.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { oneLine } from "#kit";
import { sentencesOf } from "../../src/language/sentences.ts";
import { traitCount, traitsOf, type Speaker } from "../../src/memory/exchange/traits.ts";
import { readPrompt } from "#language";
import { auc, score, sigmoid, train, type Example, type Linear } from "./sparse.ts";
import { readVoices, says, type Voice, type VoiceTurn } from "./voice.ts";

export interface Labelled extends Example {
  readonly voice: string;
  readonly by: Speaker;
  readonly text: string;
}

/** Sentences of a voice; y = one sentence that says a fact by itself. Those that say a part of one count less. */
export function labelledOf(voice: Voice): readonly Labelled[] {
  return voice.sessions.flatMap(({ turns }) =>
    turns.flatMap((turn, i) => {
      const before = turns[i - 1]?.answer ?? null;
      const typed = readPrompt(turn.prompt, before).typed;
      const asked = typed.length <= 90 && /[?？]/u.test((before ?? "").slice(-200));
      return [
        ...sentences(voice, turn, { text: typed, by: "user", answersQuestion: asked }),
        ...sentences(voice, turn, { text: turn.answer, by: "agent", answersQuestion: false }),
      ];
    }),
  );
}

function sentences(
  voice: Voice,
  turn: VoiceTurn,
  {
    text,
    by,
    answersQuestion,
  }: { readonly text: string; readonly by: Speaker; readonly answersQuestion: boolean },
): readonly Labelled[] {
  const all = sentencesOf(text);
  return all.map((sentence, index) => {
    const said = oneLine(sentence.text);
    const y = turn.facts.some((fact) => says(said, fact)) ? 1 : 0;
    const isPart =
      y === 0 &&
      turn.facts.some((fact) =>
        fact.anchors.some((anchor) => says(said, { ...fact, anchors: [anchor] })),
      );
    const place = { by, index, count: all.length, answersQuestion };
    return {
      ...traitsOf(said, place),
      y,
      weight: isPart ? 0.3 : 1,
      voice: voice.name,
      by,
      text: said,
    };
  });
}

/** A labelled sentence of a real session. */
interface RealRow {
  readonly voice: string;
  readonly by: Speaker;
  readonly text: string;
  /** Position in its message, from 0, and how many there are. */
  readonly index: number;
  readonly count: number;
  readonly answers: boolean;
  readonly y: 0 | 1;
}

/** Real developers say less that lasts, and there are fewer of them here. */
const realWeight = 2;

function realRows(path: string): readonly Labelled[] {
  const rows = JSON.parse(readFileSync(path, "utf8")) as readonly RealRow[];
  return rows.map(({ voice, by, text, index, count, answers, y }) => ({
    ...traitsOf(text, { by, index, count, answersQuestion: answers }),
    y,
    weight: realWeight,
    voice,
    by,
    text,
  }));
}

/** int8 with one scale. */
export function asFile(model: Linear, provenance: string): string {
  const top = Math.max(...model.weights.map(Math.abs));
  const scale = top / 127;
  const bytes = Uint8Array.from(model.weights, (w) => Math.round(w / scale) & 0xff);
  const file = {
    provenance,
    bias: round(model.bias),
    scale,
    weights: Buffer.from(bytes).toString("base64"),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}
const round = (x: number): number => Math.round(x * 10_000) / 10_000;

/** Few and small steps: more of them fit the voices better and strangers worse (fitted 1.00, left out 0.75). */
export const options = { epochs: 4, rate: 0.005, l2: 1e-3 };

if (import.meta.main) {
  const voices = readVoices(join(import.meta.dir, "voices"));
  const at = process.argv.indexOf("--real");
  const real = at < 0 ? [] : realRows(process.argv[at + 1] ?? "");
  const rows = [...voices.flatMap(labelledOf), ...real];
  const hands = [...new Set(rows.map(({ voice }) => voice))];
  const all = train(rows, traitCount, options);
  const held = new Map<string, Linear>(
    hands.map((name) => [
      name,
      train(
        rows.filter(({ voice }) => voice !== name),
        traitCount,
        options,
      ),
    ]),
  );
  const judge = (some: readonly Labelled[], of: (row: Labelled) => Linear): string =>
    auc(some.map((row) => ({ p: sigmoid(score(of(row), row)), y: row.y }))).toFixed(3);
  console.log(`${rows.length} sentences, ${rows.filter(({ y }) => y === 1).length} say a fact`);
  for (const name of hands) {
    const own = rows.filter(({ voice }) => voice === name);
    console.log(
      name.padEnd(14),
      "left out",
      judge(own, () => held.get(name) ?? all),
      "fitted",
      judge(own, () => all),
    );
  }
  console.log(
    "all     ",
    "left out",
    judge(rows, ({ voice }) => held.get(voice) ?? all),
    "fitted",
    judge(rows, () => all),
  );
  if (process.argv.includes("--write"))
    writeFileSync(
      join(import.meta.dir, "../../models/learnt/worth.json"),
      asFile(
        all,
        `lab/train/worth.ts: ${rows.length - real.length} sentences of ${voices.length} voices (${voices.map(({ name }) => name).join(", ")}), ${real.length} of ${hands.length - voices.length} real developers`,
      ),
    );
}
