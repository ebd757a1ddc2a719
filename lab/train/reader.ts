/**
 * Trains the reader of prompts and says how often it is right.
 *
 *   bun lab/train/reader.ts [--real DIR] [--write] [--errors FILE]
 *
 * Without --real it fits to our invented prompts only. With it, every person of the real ones is left out in turn: the
 * figure that counts. --write stores the weights of everything in src/language/reader/weights.json.
 */
import { writeFileSync } from "node:fs";
import { lineKindsOf, partsOf } from "../../src/language/reader/read-prompt.ts";
import { packed, type ReaderWeights, unpack } from "../../src/language/reader/model.ts";
import { flag, option } from "../options.ts";
import { ourSamples, realSamples } from "./reader-data.ts";
import { fitReader, prepared, type Label, type Prepared, type Sample } from "./reader-fit.ts";

const heading = [
  "who".padEnd(12),
  "all n/lines".padEnd(11),
  "line/prompt".padEnd(12),
  "of 4".padEnd(6),
  "open n".padEnd(10),
  "line/prompt".padEnd(12),
  "2+ lines".padEnd(12),
  "typed lost, %".padEnd(16),
  "others' kept, %",
].join(" ");

/** An invented prompt counts less than one that somebody sent. */
const ourShare = 0.4;

const ours = ourSamples();
const folder = option("real", "");
const real = folder === "" ? [] : realSamples(folder);
const forTraining = [...of(real, 1), ...of(ours, folder === "" ? 1 : ourShare)];

/** The training data of the model: prompts that somebody may have typed, without the blocks that rules take out. */
function of(samples: readonly Sample[], share: number): readonly Prepared[] {
  return samples.flatMap((sample) => {
    const parts = partsOf(sample.text);
    return parts.kind === "typed" ? [prepared(sample, parts.own, share)] : [];
  });
}

interface Score {
  prompts: number;
  right: number;
  lines: number;
  rightOfFour: number;
  shares: number;
}

interface Counter {
  readonly all: Score;
  /** The score on prompts that no rule knew as a whole. */
  readonly open: Score;
  /** The score on those with two lines and more. */
  readonly long: Score;
  typedChars: number;
  lostChars: number;
  pastedChars: number;
  keptChars: number;
}

function counter(): Counter {
  const score = () => ({ prompts: 0, right: 0, lines: 0, rightOfFour: 0, shares: 0 });
  return {
    all: score(),
    open: score(),
    long: score(),
    typedChars: 0,
    lostChars: 0,
    pastedChars: 0,
    keptChars: 0,
  };
}

function judged(samples: readonly Sample[], weights: ReaderWeights): Counter {
  const own = counter();
  for (const sample of samples) judge(sample, weights, [own], []);
  return own;
}

const letters: Readonly<Record<string, Label>> = {
  typed: "t",
  pasted: "p",
  quoted: "q",
  client: "c",
};

function judge(
  sample: Sample,
  weights: ReaderWeights,
  counters: readonly Counter[],
  faults: string[],
): void {
  const found = lineKindsOf(sample.text, sample.previous, weights);
  const { kind } = partsOf(sample.text);
  const score = { lines: 0, right: 0, rightOfFour: 0 };
  for (const [n, line] of sample.text.split("\n").entries()) {
    const wanted = sample.labels[n] ?? null;
    if (wanted === null) continue;
    const got = letters[found[n] ?? ""] ?? "p";
    const isRight = (got === "t") === (wanted === "t");
    score.lines += 1;
    score.right += isRight ? 1 : 0;
    score.rightOfFour += got === wanted ? 1 : 0;
    for (const own of counters) {
      if (wanted === "t") own.typedChars += line.length;
      else own.pastedChars += line.length;
      if (!isRight && wanted === "t") own.lostChars += line.length;
      if (!isRight && wanted !== "t") own.keptChars += line.length;
    }
    if (!isRight) faults.push(`${sample.id}:${n + 1} ${sample.person} ${wanted} ${got} ${line}`);
  }
  if (score.lines === 0) return;
  for (const own of counters) {
    add(own.all, score);
    if (kind === "typed") add(own.open, score);
    if (kind === "typed" && score.lines > 1) add(own.long, score);
  }
}

function add(to: Score, { lines, right, rightOfFour }: Omit<Score, "prompts" | "shares">): void {
  to.prompts += 1;
  to.lines += lines;
  to.right += right;
  to.rightOfFour += rightOfFour;
  to.shares += right / lines;
}

function row(name: string, { all, open, long, ...chars }: Counter): string {
  const share = (part: number, whole: number): string =>
    whole === 0 ? "–" : ((100 * part) / whole).toFixed(1);
  const three = ({ right, lines, shares, prompts }: Score): string =>
    `${share(right, lines)}/${share(shares, prompts)}`.padEnd(12);
  return [
    name.padEnd(12),
    `${all.prompts}/${all.lines}`.padEnd(11),
    three(all),
    share(all.rightOfFour, all.lines).padEnd(6),
    `${open.prompts}/${open.lines}`.padEnd(10),
    three(open),
    three(long),
    `${share(chars.lostChars, chars.typedChars)} of ${chars.typedChars}`.padEnd(16),
    `${share(chars.keptChars, chars.pastedChars)} of ${chars.pastedChars}`,
  ].join(" ");
}

function write(weights: ReaderWeights): void {
  const people = new Set(real.map(({ person }) => person)).size;
  const file = {
    provenance:
      `bun lab/train/reader.ts --real DIR --write: ${ours.length} invented prompts (lab/train/reader), ` +
      `${real.length} real prompts of ${people} people, which are not in this repository. ` +
      "Positions are hashes of shapes and marks; no word of anybody is in here.",
    ...packed(weights),
  };
  const path = `${import.meta.dir}/../../src/language/reader/weights.json`;
  writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`);
}

const errors: string[] = [];

const fitted = unpack(packed(fitReader(forTraining)));
if (real.length > 0) {
  const people = [...new Set(real.map(({ person }) => person))].toSorted();
  const total = counter();
  console.log(heading);
  for (const person of people) {
    const weights = unpack(
      packed(fitReader(forTraining.filter(({ sample }) => sample.person !== person))),
    );
    const own = counter();
    for (const sample of real.filter((one) => one.person === person)) {
      judge(sample, weights, [own, total], errors);
    }
    console.log(row(person, own));
  }
  console.log(row("left out", total));
  console.log(row("fitted", judged(real, fitted)));
}
console.log(row("ours, fitted", judged(ours, fitted)));
const errorsFile = option("errors", "");
if (errorsFile !== "") writeFileSync(errorsFile, errors.join("\n"));
if (flag("write")) write(fitted);
