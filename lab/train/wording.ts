/**
 * Learns how a prompt sounds that wants something remembered: the probes of the voices against their silent ones, prompts
 * labelled by their wording alone (wants/*.jsonl), what people type while they work, and with `--real` what real developers
 * type (weights only).
 *
 *   bun lab/train/wording.ts [--real PROMPTS.json] [--write]
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPrompt } from "#language";
import { traitCount, traitsOf } from "../../src/memory/exchange/traits.ts";
import { auc, score, sigmoid, train, type Example, type Linear } from "./sparse.ts";
import { readVoices } from "./voice.ts";
import { asFile } from "./worth.ts";

interface Row extends Example {
  readonly hand: string;
  readonly from: "probe" | "silence" | "session" | "labelled" | "real";
}

const charsMax = 400;
const row = (text: string, rest: Pick<Row, "hand" | "from" | "y" | "weight">): Row => ({
  ...traitsOf(text.slice(0, charsMax), { by: "user", index: 0, count: 1, answersQuestion: false }),
  ...rest,
});

export function rowsOf(realPath: string | null): readonly Row[] {
  const voices = readVoices(join(import.meta.dir, "voices"));
  const ours = voices.flatMap(({ name: hand, probes, sessions }) => [
    ...probes.map(({ prompt, needs }) =>
      row(prompt, {
        hand,
        from: needs.length > 0 ? "probe" : "silence",
        y: needs.length > 0 ? 1 : 0,
        weight: 1,
      }),
    ),
    ...sessions.flatMap(({ turns }) =>
      turns.map(({ prompt }) =>
        row(readPrompt(prompt, null).typed, { hand, from: "session", y: 0, weight: 0.3 }),
      ),
    ),
  ]);
  const written = [...ours, ...labelledRows()];
  if (realPath === null || !existsSync(realPath)) return written;
  const real = JSON.parse(readFileSync(realPath, "utf8")) as {
    dev: string;
    text: string;
    prev: string;
    /** Somebody judged whether memory could help with it. */
    wants?: boolean;
  }[];
  return [
    ...written,
    ...real.flatMap(({ dev, text, prev, wants }) => {
      const { kind, typed } = readPrompt(text, prev);
      if (kind !== "typed" || typed === "") return [];
      return [
        row(typed, {
          hand: `real ${dev.replace(/^.*-/u, "")}`,
          from: "real" as const,
          y: wants === true ? (1 as const) : (0 as const),
          weight: wants === undefined ? 0.3 : 0.6,
        }),
      ];
    }),
  ];
}

/** One JSON object a line: whose hand, in which language, whether memory could help (`y`), and the prompt. */
function labelledRows(): readonly Row[] {
  const folder = join(import.meta.dir, "wants");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .toSorted()
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line) as { hand: string; y: 0 | 1; text: string })
    .map(({ hand, y, text }) => row(text, { hand, from: "labelled", y, weight: 1 }));
}

const options = { epochs: 16, rate: 0.03, l2: 1e-3 };
export const fitWording = (rows: readonly Row[], leftOut: string | null): Linear =>
  train(leftOut === null ? rows : rows.filter(({ hand }) => hand !== leftOut), traitCount, options);

if (import.meta.main) {
  const at = process.argv.indexOf("--real");
  const rows = rowsOf(at < 0 ? null : (process.argv[at + 1] ?? null));
  const all = fitWording(rows, null);
  const hands = [...new Set(rows.map(({ hand }) => hand))];
  const held = new Map(hands.map((hand) => [hand, fitWording(rows, hand)]));
  for (const [name, of] of [
    ["left out", (hand: string) => held.get(hand) ?? all],
    ["fitted", () => all],
  ] as const) {
    const judged = rows.map((one) => ({ one, y: one.y, p: sigmoid(score(of(one.hand), one)) }));
    const against = (from: Row["from"]): string =>
      auc(
        judged.filter(({ one, y }) => one.from === "probe" || (one.from === from && y === 0)),
      ).toFixed(3);
    console.log(
      `${name}: area against silence ${against("silence")}, sessions ${against("session")}, real ${against("real")}`,
    );
  }
  if (process.argv.includes("--write"))
    writeFileSync(
      join(import.meta.dir, "../../models/learnt/wording.json"),
      asFile(
        all,
        `lab/train/wording.ts: ${rows.length} prompts of ${hands.length} hands (of real developers weights only)`,
      ),
    );
}
