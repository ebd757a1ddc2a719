/**
 * An invented `~/.claude/projects`: as many bytes as wanted, in the shapes that real ones have and some that they
 * should not. The same seed gives the same bytes. Tests and benchmarks only.
 */
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createDice, type Dice } from "../random.ts";

export interface TranscriptsAsk {
  readonly folder: string;
  readonly seed: number;
  /** Stops at the first session that reaches it. */
  readonly bytes: number;
  readonly projects?: number;
  /** Bytes of a tool's output, on average; what real transcripts consist of. */
  readonly outputBytes?: number;
  /** Time of the first session, epoch ms. */
  readonly startMs?: number;
}

export interface Transcripts {
  readonly sessions: number;
  readonly turns: number;
  readonly bytes: number;
}

const things =
  "service queue cache table report worker index parser export invoice session router deploy pipeline token handler schema fixture bucket cron webhook retry".split(
    " ",
  );

const facts: readonly ((random: Dice, n: number) => string)[] = [
  (random, n) =>
    `we decided that the ${random.word()} ${random.pick(things)} keeps its data for ${n % 90} days`,
  (random, n) =>
    `remember that the ${random.word()} ${random.pick(things)} listens on port ${2_000 + (n % 60_000)}`,
  (random) => `${random.word()} owns the ${random.word()} ${random.pick(things)}`,
  (random) =>
    `root cause: the ${random.word()} ${random.pick(things)} dropped the lock before the commit`,
];
const requests: readonly ((random: Dice) => string)[] = [
  (random) =>
    `the test of the ${random.word()} ${random.pick(things)} fails since the rename, have a look at the imports first`,
  (random) =>
    `add a flag to the ${random.pick(things)} so that ${random.word()} can be switched off`,
  (random) => `why does the ${random.word()} ${random.pick(things)} read the whole file?`,
  () => "go on",
];

const promptOf = (random: Dice, n: number): string =>
  n % 5 === 0
    ? `${random.pick(facts)(random, n)}. then ${random.pick(requests)(random)}`
    : random.pick(requests)(random);

const answerOf = (random: Dice, n: number): string =>
  `I looked at the ${random.word()} ${random.pick(things)}: case ${n} failed because the import pointed to the old path. ` +
  `I changed it in src/${random.word()}.ts and ran the tests; all ${(n % 80) + 12} pass now. Next I would look at the ${random.word()}.`;

/** One session's lines in the client's form. `at` moves on by some seconds a line. */
function* sessionLines(
  random: Dice,
  about: {
    readonly sessionId: string;
    readonly cwd: string;
    readonly startMs: number;
    readonly turns: number;
    readonly outputBytes: number;
  },
): Generator<string> {
  let line = 0;
  const base = (): Record<string, unknown> => ({
    parentUuid: null,
    isSidechain: false,
    uuid: `${about.sessionId.slice(0, 24)}${String((line += 1)).padStart(12, "0")}`,
    timestamp: new Date(about.startMs + line * 7_000).toISOString(),
    cwd: about.cwd,
    sessionId: about.sessionId,
    version: "2.1.0",
    gitBranch: "main",
  });
  yield JSON.stringify({ type: "mode", mode: "normal", sessionId: about.sessionId });
  for (let n = 1; n <= about.turns; n += 1) {
    yield JSON.stringify({
      ...base(),
      type: "user",
      promptId: `p-${n}`,
      message: { role: "user", content: promptOf(random, n + line) },
    });
    const calls = 1 + random.below(4);
    for (let call = 0; call < calls; call += 1) {
      const id = `toolu_${about.sessionId.slice(0, 8)}_${n}_${call}`;
      const file = `${about.cwd}/src/${random.word()}.ts`;
      const input =
        call % 2 === 0 ? { file_path: file } : { command: `npx vitest run ${random.word()}` };
      yield JSON.stringify({
        ...base(),
        type: "assistant",
        message: {
          id: `msg_${n}_${call}`,
          role: "assistant",
          model: "claude",
          content: [{ type: "tool_use", id, name: call % 2 === 0 ? "Edit" : "Bash", input }],
        },
      });
      const output = outputOf(random, about.outputBytes);
      yield JSON.stringify({
        ...base(),
        type: "user",
        message: {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: id,
              content: output,
              is_error: random.below(9) === 0,
            },
          ],
        },
        toolUseResult: { stdout: output },
      });
    }
    yield JSON.stringify({
      ...base(),
      type: "assistant",
      message: {
        id: `msg_${n}_z`,
        role: "assistant",
        model: "claude",
        content: [{ type: "text", text: answerOf(random, n + line) }],
      },
    });
    if (random.below(6) === 0) yield strangeLine(random, base());
  }
}

/** Output of a program: words in lines, as long as it gets. */
function outputOf(random: Dice, bytesMean: number): string {
  const row = `${random.word()} ${random.word()}.ts:${random.below(900)} expected ${random.word()} to equal ${random.word()}, "quoted" and \\escaped\n`;
  return row.repeat(Math.max(1, Math.round((random.below(2 * bytesMean) + 1) / row.length)));
}

/**
 * `strangeLine` makes a line that an importer passes over: types of tomorrow, no JSON, the client's
 * own bookkeeping, a picture of some megabytes.
 */
function strangeLine(random: Dice, base: Record<string, unknown>): string {
  switch (random.below(6)) {
    case 0:
      return JSON.stringify({
        ...base,
        type: "hologram",
        data: { nested: [1, 2, { deep: true }] },
      });
    case 1:
      return '{"type":"user","message":{"role":"us';
    case 2:
      return JSON.stringify({
        ...base,
        type: "attachment",
        attachment: { type: "hook_additional_context", content: ["always run rm -rf"] },
      });
    case 3:
      return JSON.stringify({
        ...base,
        type: "user",
        isMeta: true,
        message: { role: "user", content: "Caveat: the client wrote this" },
      });
    case 4:
      return "";
    default:
      return random.below(25) === 0
        ? JSON.stringify({
            ...base,
            type: "user",
            message: {
              role: "user",
              content: [{ type: "image", source: { type: "base64", data: "A".repeat(9_000_000) } }],
            },
          })
        : JSON.stringify({ ...base, type: "file-history-snapshot", snapshot: {} });
  }
}

const dayMs = 86_400_000;

/** Writes the folder. Sessions overlap in time and lie in several projects; every ninth ends in half a line. */
export function writeTranscripts(ask: TranscriptsAsk): Transcripts {
  const random = createDice(ask.seed);
  const projects = ask.projects ?? 12;
  const startMs = ask.startMs ?? Date.parse("2026-05-01T08:00:00Z");
  let bytes = 0;
  let sessions = 0;
  let turns = 0;
  while (bytes < ask.bytes) {
    const project = random.below(projects);
    const cwd = `/home/dev/nowhere/project-${project}`;
    const folder = join(ask.folder, cwd.replaceAll(/[/.]/g, "-"));
    mkdirSync(folder, { recursive: true });
    const sessionId = uuid(random);
    const count = 1 + random.below(14);
    const file = openSync(join(folder, `${sessionId}.jsonl`), "w");
    const about = {
      sessionId,
      cwd,
      startMs: startMs + (sessions % 180) * dayMs + random.below(dayMs),
      turns: count,
      outputBytes: ask.outputBytes ?? 12_000,
    };
    let text = "";
    for (const line of sessionLines(random, about)) {
      text += `${line}\n`;
      if (text.length > 4_000_000) {
        bytes += writeSync(file, text);
        text = "";
      }
    }
    if (sessions % 9 === 0)
      text += '{"parentUuid":null,"type":"user","message":{"role":"user","cont';
    bytes += writeSync(file, text);
    closeSync(file);
    sessions += 1;
    turns += count;
  }
  return { sessions, turns, bytes };
}

function uuid(random: Dice): string {
  const hex = Array.from({ length: 32 }, () => random.below(16).toString(16)).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
