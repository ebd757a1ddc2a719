/**
 * What the start text of invented developers loses when their standing rules stand in CLAUDE.md as well.
 *
 *   bun bench/notes.ts FILE.voice…
 *
 * Memories are perfect: the facts of a voice that hold at its end. CLAUDE.md of each project has the rules among them as
 * a list. Status 1 when a line goes that the file does not say, or when a fact is taken for the contrary of another that
 * it does not replace.
 */
import { basename } from "node:path";
import { defaultSettings, type NoteLine, type NotesPort } from "#domain";
import { tokensOf } from "#kit";
import { notesOf, saidIn } from "#memory";
import { openTestWorker, testProject } from "../test/support/worker.ts";
import { readVoice, type Voice, type VoiceFact } from "../train/voice.ts";

const rules: ReadonlySet<string> = new Set(["preferences", "patterns"]);

const linesOf = (facts: readonly VoiceFact[]): readonly NoteLine[] =>
  facts.map(({ statement: text }, at) => ({ file: "/w/CLAUDE.md", line: at + 1, text, atMs: 0 }));

const holding = ({ facts }: Voice): readonly VoiceFact[] => {
  const replaced = new Set([...facts.values()].map(({ replaces }) => replaces));
  return [...facts.values()].filter(({ id }) => !replaced.has(id));
};

/** Lines of the start text of one project, with and without the file. */
function startsOf(voice: Voice, project: string, startTokens: number) {
  const facts = holding(voice).filter((one) => one.project === null || one.project === project);
  const lines = linesOf(facts.filter(({ category }) => rules.has(category)));
  const start = (notes: NotesPort): readonly string[] => {
    const inject = { ...defaultSettings.inject, startTokens };
    using app = openTestWorker({
      projectOf: () => ({ ...testProject, name: project }),
      notes,
      settings: { ...defaultSettings, inject },
    });
    for (const { id, category, statement, source, project: of } of facts)
      app.remember(statement, {
        category: category as "entities",
        uriHint: id,
        origin: source === "U" ? "user" : "agent",
        project: of === null ? null : testProject.key,
      });
    const at = { source: "startup", transcript_path: "/h/.claude/projects/w/s.jsonl" };
    return app.send("start", "SessionStart", at).split("\n");
  };
  const [before, after] = [start({ linesFor: () => [] }), start({ linesFor: () => lines })];
  const gone = before.filter((line) => line.startsWith("- ") && !after.includes(line));
  const came = after.filter((line) => line.startsWith("- ") && !before.includes(line));
  // Markup is shown in other brackets, and quotation marks in a quotation are others.
  const plain = (text: string): string =>
    text.replaceAll(/[‹<]/gu, "(").replaceAll(/[›>]/gu, ")").replaceAll('"', "'");
  const isRule = (line: string): boolean =>
    lines.some(({ text }) => plain(line).includes(plain(text)));
  return {
    rules: lines.length,
    before,
    gone,
    came,
    again: after.filter(isRule),
    lost: gone.filter((line) => !isRule(line)),
  };
}

/** Pairs of facts that are taken for the contrary of each other. */
function contraryIn(voice: Voice) {
  const all = [...voice.facts.values()];
  return all.flatMap((fact) =>
    all.flatMap((other) => {
      if (other === fact) return [];
      const kind = saidIn(fact.statement, notesOf(linesOf([other]), fact.project))?.kind;
      return kind === undefined ? [] : [{ fact, other, kind }];
    }),
  );
}

/** Replaces it, also by way of others. */
function isLater({ facts }: Voice, fact: VoiceFact, than: VoiceFact): boolean {
  for (let one = fact; ;) {
    const before = one.replaces === null ? undefined : facts.get(one.replaces);
    if (before === undefined || before === than) return before === than;
    one = before;
  }
}

let isBad = false;
const sum = {
  starts: 0,
  rules: 0,
  lines: 0,
  gone: 0,
  tokens: 0,
  again: 0,
  came: 0,
  displaced: 0,
  lost: 0,
};
for (const path of process.argv.slice(2)) {
  const voice = readVoice(path);
  for (const project of voice.projects.keys()) {
    const {
      rules: said,
      before,
      gone,
      came,
      again,
      lost: displaced,
    } = startsOf(voice, project, 700);
    // Where there is room for all, none makes way for another.
    const { lost } = startsOf(voice, project, 2_300);
    sum.again += again.length;
    sum.displaced += displaced.length;
    sum.starts += 1;
    sum.rules += said;
    sum.lines += before.filter((line) => line.startsWith("- ")).length;
    sum.gone += gone.length;
    sum.tokens += tokensOf(gone.join("\n"));
    sum.came += came.length;
    sum.lost += lost.length;
    for (const line of lost) console.log(`lost: ${line}`);
  }
  for (const { fact, other, kind } of contraryIn(voice)) {
    const isRight = isLater(voice, fact, other) || isLater(voice, other, fact);
    isBad ||= !isRight;
    console.log(
      `${basename(path)} ${kind}${isRight ? "" : " ?"}: ${fact.statement} / ${other.statement}`,
    );
  }
}
console.log(sum);
process.exit(isBad || sum.lost > 0 ? 1 : 0);
