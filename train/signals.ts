/**
 * Learns which typed sentences are meant to be kept: standing rules, things to remember, decisions.
 *
 *   bun train/signals.ts [--real DIR] [--write]
 *
 * Data: train/signals/*.jsonl (written for this), the facts of the voices, and with `--real` sentences of real developers
 * that were judged by hand (never part of the project; what is learnt from them is weights). Prints, with each voice,
 * hand and real developer left out of the training in turn, what is kept and how much of it is right.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { oneLine } from "#kit";
import { readPrompt } from "#reader";
import { sentencesOf } from "../src/memory/extraction/sentences.ts";
import { traitCount, traitsOf, type Traits } from "../src/memory/exchange/traits.ts";
import { auc, score, sigmoid, train, type Linear } from "./sparse.ts";
import { readVoices, says, type VoiceTurn } from "./voice.ts";
import { asFile } from "./worth.ts";

export const kinds = ["rule", "remember", "decision"] as const;
export type Kind = (typeof kinds)[number];
type Label = Kind | "fact" | "cause" | "none";

interface Row extends Traits {
  readonly from: "ours" | "voice" | "real";
  /** Who typed it: left out together. */
  readonly hand: string;
  readonly text: string;
  readonly label: Label;
  /** False where a voice does not say what kind it is. */
  readonly isSure: boolean;
  readonly everywhere: boolean | null;
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
              isSure: true,
              everywhere: null,
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
                isSure: false,
                everywhere: fact === undefined ? null : fact.project === null,
                weight: (idle ? 2 : fact === undefined ? 1 : 0.5) * Number(process.env.VW ?? 1),
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
          isSure: true,
          everywhere: null,
          weight: 2,
        },
      ),
    ];
  });
}

const at = process.argv.indexOf("--real");
export const rows = [
  ...ours(join(import.meta.dir, "signals")),
  ...ofVoices(join(import.meta.dir, "voices")),
  ...real(at < 0 ? null : (process.argv[at + 1] ?? null)),
];
const options = {
  epochs: Number(process.env.EP ?? 6),
  rate: Number(process.env.RATE ?? 0.006),
  l2: 1e-3,
};

/** A kind against the rest; a voice's labels of kind are rough, so its other facts are left out rather than held against it. */
const examples = (some: readonly Row[], kind: Kind) =>
  some
    .filter(({ label, isSure }) => isSure || label === kind || label === "none")
    .map((one) => ({
      ...one,
      y: (one.label === kind ? 1 : 0) as 0 | 1,
      weight: one.weight * (one.label === kind && !one.isSure ? 0.4 : 1),
    }));

const fit = (some: readonly Row[]): Readonly<Record<Kind, Linear>> => ({
  rule: train(examples(some, "rule"), traitCount, options),
  remember: train(examples(some, "remember"), traitCount, options),
  decision: train(examples(some, "decision"), traitCount, options),
});

if (import.meta.main) {
  const all = fit(rows);
  const hands = [...new Set(rows.map(({ hand }) => hand))];
  // Hands of one language and one real developer at a time; in ten folds, since there are many of them.
  const foldOf = new Map(hands.map((hand, i) => [hand, i % 10]));
  const models = Array.from({ length: 10 }, (_, fold) =>
    fit(rows.filter(({ hand }) => foldOf.get(hand) !== fold)),
  );
  for (const name of ["left out", "fitted"] as const) {
    console.log(name);
    for (const from of ["ours", "voice", "real"] as const) {
      const some = rows.filter((one) => one.from === from);
      if (some.length === 0) continue;
      for (const kind of kinds) {
        const judged = some.map((one) => ({
          one,
          y: (one.label === kind ? 1 : 0) as 0 | 1,
          p: sigmoid(
            score(
              (name === "fitted" ? all : (models[foldOf.get(one.hand) ?? 0] ?? all))[kind],
              one,
            ),
          ),
        }));
        const positives = judged.filter(({ y }) => y === 1).length;
        if (positives === 0) continue;
        const line = [0.3, 0.5, 0.7].map((t) => {
          const kept = judged.filter(({ p }) => p >= t);
          const lasting = kept.filter(({ one }) => one.label !== "none").length;
          return `≥${t}: ${kept.length} kept, ${(lasting / Math.max(1, kept.length)).toFixed(2)} lasting, ${(kept.filter(({ y }) => y === 1).length / positives).toFixed(2)} caught`;
        });
        console.log(
          `  ${from} ${kind} (${positives} of ${some.length}), area ${auc(judged).toFixed(3)}: ${line.join("; ")}`,
        );
      }
    }
  }
  // Does it hold everywhere?
  const scoped = rows
    .filter(({ everywhere }) => everywhere !== null)
    .map((one) => ({ ...one, y: (one.everywhere === true ? 1 : 0) as 0 | 1, weight: 1 }));
  const scope = train(scoped, traitCount, options);
  const heldScope = Array.from({ length: 10 }, (_, fold) =>
    train(
      scoped.filter(({ hand }) => foldOf.get(hand) !== fold),
      traitCount,
      options,
    ),
  );
  console.log(
    `everywhere: ${scoped.filter(({ y }) => y === 1).length} of ${scoped.length}, area left out ${auc(scoped.map((one) => ({ y: one.y, p: score(heldScope[foldOf.get(one.hand) ?? 0] ?? scope, one) }))).toFixed(3)}, fitted ${auc(scoped.map((one) => ({ y: one.y, p: score(scope, one) }))).toFixed(3)}`,
  );
  if (process.argv.includes("--write")) {
    const count = (from: Row["from"]): number => rows.filter((one) => one.from === from).length;
    const provenance = `train/signals.ts: ${count("ours")} sentences of train/signals, ${count("voice")} of voices, ${count("real")} of real developers (weights only)`;
    for (const kind of kinds)
      writeFileSync(
        join(import.meta.dir, `../models/learnt/${kind}.json`),
        asFile(all[kind], provenance),
      );
    writeFileSync(
      join(import.meta.dir, "../models/learnt/everywhere.json"),
      asFile(scope, provenance),
    );
  }
}
