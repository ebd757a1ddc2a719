/**
 * Learns which typed sentences are meant beyond the moment (models/learnt/lasting.json). The words that announce it are in
 * src/language/signal-cues.ts; this tells the meant from the casual.
 *
 *   bun train/signals.ts [--real DIR] [--write]
 *
 * Data: train/signals/*.jsonl (written for this), the facts of the voices, and with `--real` sentences of real developers
 * that were judged by hand (never part of the project; what is learnt from them is weights). Prints what is kept and how
 * much of it is right, hands left out of the training in tenths, beside the fitted.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { oneLine } from "#kit";
import { readPrompt } from "#reader";
import { sentencesOf } from "../src/language/sentences.ts";
import { traitCount, traitsOf, type Traits } from "../src/memory/exchange/traits.ts";
import { cueOf } from "../src/language/signal-cues.ts";
import { auc, score, sigmoid, train, type Linear } from "./sparse.ts";
import { readVoices, says, type VoiceTurn } from "./voice.ts";
import { asFile } from "./worth.ts";

type Label = "rule" | "remember" | "decision" | "fact" | "cause" | "none";

interface Row extends Traits {
  readonly from: "ours" | "voice" | "real";
  /** Who typed it: left out together. */
  readonly hand: string;
  readonly text: string;
  readonly label: Label;
  readonly weight: number;
}

const row = (
  text: string,
  place: { readonly index: number; readonly count: number; readonly answersQuestion: boolean },
  rest: Omit<Row, "text" | keyof Traits>,
): Row => ({ ...traitsOf(text, { by: "user", ...place }), text, ...rest });

function ours(folder: string): readonly Row[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) =>
      readFileSync(join(folder, name), "utf8")
        .split("\n")
        .filter(Boolean)
        .map(
          (line) =>
            JSON.parse(line) as {
              lang: string;
              dev: string;
              before: string;
              text: string;
              label: Label;
            },
        )
        .map(({ lang, dev, before, text, label }) =>
          row(
            oneLine(text),
            { index: 0, count: 1, answersQuestion: /[?？]\s*$/u.test(before) },
            {
              from: "ours",
              hand: `${lang} ${dev}`,
              label,
              weight: 1,
            },
          ),
        ),
    );
}

const labelOfCategory: Readonly<Record<string, Label>> = {
  preferences: "rule",
  patterns: "rule",
  profile: "rule",
  events: "decision",
  entities: "fact",
  cases: "cause",
};

function ofVoices(folder: string): readonly Row[] {
  return readVoices(folder).flatMap((voice) =>
    voice.sessions.flatMap(({ turns }) =>
      turns.flatMap((turn: VoiceTurn, i) => {
        const before = turns[i - 1]?.answer ?? null;
        const all = sentencesOf(readPrompt(turn.prompt, before).typed);
        return all.flatMap((sentence, index): readonly Row[] => {
          const text = oneLine(sentence.text);
          const fact = turn.facts.find((one) => one.source === "U" && says(text, one));
          const isPart = turn.facts.some((one) =>
            one.anchors.some((anchor) => says(text, { ...one, anchors: [anchor] })),
          );
          if (fact === undefined && isPart) return [];
          const idle = turn.forbidden.some(
            (one) =>
              one.reason === "trivial" && text.toLowerCase().includes(one.text.toLowerCase()),
          );
          const label = fact === undefined ? "none" : (labelOfCategory[fact.category] ?? "fact");
          const answersQuestion = all.length < 3 && /[?？]\s*$/u.test(before ?? "");
          return [
            row(
              text,
              { index, count: all.length, answersQuestion },
              {
                from: "voice",
                hand: voice.name,
                label,
                weight: idle ? 2 : fact === undefined ? 1 : 0.5,
              },
            ),
          ];
        });
      }),
    ),
  );
}

const labelOfLetter: Readonly<Record<string, Label>> = {
  R: "rule",
  D: "decision",
  F: "fact",
  M: "remember",
  n: "none",
};

function real(folder: string | null): readonly Row[] {
  if (folder === null) return [];
  const sentences = JSON.parse(readFileSync(join(folder, "sent.json"), "utf8")) as {
    id: string;
    dev: string;
    text: string;
    prev: string;
  }[];
  const letters = new Map(
    readdirSync(folder)
      .filter((name) => /^sentlabels\d\.txt$/u.test(name))
      .flatMap((name) =>
        readFileSync(join(folder, name), "utf8")
          .split("\n")
          .filter(Boolean)
          .map((line) => line.split("\t")),
      )
      .map(([id = "", letter = "n"]) => [id, letter] as const),
  );
  return sentences.flatMap(({ id, dev, text, prev }) => {
    const letter = letters.get(id);
    if (letter === undefined) return [];
    return [
      row(
        text,
        { index: 0, count: 2, answersQuestion: /[?？]\s*$/u.test(prev) },
        {
          from: "real",
          hand: dev.replace(/^.*-/u, "real "),
          label: labelOfLetter[letter] ?? "none",
          weight: 2,
        },
      ),
    ];
  });
}

const at = process.argv.indexOf("--real");
const rows = [
  ...ours(join(import.meta.dir, "signals")),
  ...ofVoices(join(import.meta.dir, "voices")),
  ...real(at < 0 ? null : (process.argv[at + 1] ?? null)),
];
const options = { epochs: 6, rate: 0.015, l2: 1e-3 };
/** What a voice calls a fact is only roughly what somebody would say to be kept. */
const weightOf: Readonly<Record<Row["from"], number>> = { ours: 1, voice: 0.3, real: 1 };

const fit = (some: readonly Row[]): Linear =>
  train(
    some.map((one) => ({
      ...one,
      y: one.label === "none" ? 0 : 1,
      weight: one.weight * weightOf[one.from],
    })),
    traitCount,
    options,
  );

const all = fit(rows);
const hands = [...new Set(rows.map(({ hand }) => hand))];
const foldOf = new Map(hands.map((hand, i) => [hand, i % 10]));
const held = Array.from({ length: 10 }, (_, fold) =>
  fit(rows.filter(({ hand }) => foldOf.get(hand) !== fold)),
);
for (const name of ["left out", "fitted"] as const) {
  console.log(name);
  for (const from of ["ours", "voice", "real"] as const) {
    const judged = rows
      .filter((one) => one.from === from)
      .map((one) => {
        const model = name === "fitted" ? all : (held[foldOf.get(one.hand) ?? 0] ?? all);
        return { one, cue: cueOf(one.text), p: sigmoid(score(model, one)) };
      });
    if (judged.length === 0) continue;
    const area = auc(judged.map(({ one, p }) => ({ p, y: one.label === "none" ? 0 : 1 })));
    const meant = judged.filter(
      ({ one }) => one.label !== "none" && one.label !== "fact" && one.label !== "cause",
    );
    const line = [0, 0.25, 0.4, 0.5, 0.6].map((from) => {
      const kept = judged.filter(({ cue, p }) => cue !== null && p >= from);
      const right = kept.filter(({ one }) => one.label !== "none").length;
      const caught = kept.filter((one) => meant.includes(one)).length;
      return `from ${from}: ${kept.length} kept, ${(right / Math.max(1, kept.length)).toFixed(2)} right, ${(caught / Math.max(1, meant.length)).toFixed(2)} caught`;
    });
    console.log(
      `  ${from} (${judged.length}), area ${area.toFixed(3)}; with announcing words ${line.join("; ")}`,
    );
  }
}
if (process.argv.includes("--write")) {
  const count = (from: Row["from"]): number => rows.filter((one) => one.from === from).length;
  const provenance = `train/signals.ts: ${count("ours")} sentences of train/signals, ${count("voice")} of voices, ${count("real")} of real developers (weights only)`;
  writeFileSync(join(import.meta.dir, "../models/learnt/lasting.json"), asFile(all, provenance));
}
