/**
 * Memories and sessions as Markdown for people and for other programs. Pure. Front matter is one JSON value a line,
 * which is YAML as well; what a text says can never end its own section.
 */
import {
  attributed,
  treeRoot,
  type Checkpoint,
  type PortableRecord,
  type PortableValue,
  type Session,
  type Turn,
} from "#domain";
import { isoTime } from "#kit";

export interface MemoryPage {
  /** The `node` record. */
  readonly node: PortableRecord;
  readonly mergedFrom: readonly string[];
  readonly links: readonly PortableValue[];
}

const overviewMark = "<!-- continuity: overview -->";
const fullMark = "<!-- continuity: full -->";
const inBody: ReadonlySet<string> = new Set(["kind", "l0", "l1", "l2"]);

/** One memory as a file. */
export function memoryPage({ node, mergedFrom, links }: MemoryPage): string {
  const front = Object.entries({ ...node, mergedFrom, links })
    .filter(([name]) => !inBody.has(name))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  return [
    `---\n${front.join("")}---\n\n# ${textOf(node["l0"])}\n`,
    sectionOf(overviewMark, node["l1"]),
    sectionOf(fullMark, node["l2"]),
  ].join("");
}

const sectionOf = (mark: string, text: PortableValue | undefined): string =>
  typeof text === "string" ? `\n${mark}\n${masked(text)}\n` : "";

/** A line that looks like a mark gets a backslash in front, one more if it has some. */
const masked = (text: string): string => text.replaceAll(/^(?=\\*<!-- continuity:)/gm, "\\");

/** A field of a record that is a text. */
export const textOf = (value: PortableValue | undefined): string =>
  typeof value === "string" ? value : "";

/** `user/preferences/pnpm.md` for `mem://user/preferences/pnpm`. */
export const pagePath = (uri: string): string => `${uri.slice(treeRoot.length)}.md`;

export interface SessionPage {
  readonly session: Session;
  readonly turns: readonly Turn[];
  readonly checkpoint: Checkpoint | null;
}

/** A session for reading: what was asked, what came of it. */
export function sessionPage({ session, turns, checkpoint }: SessionPage): string {
  const { sessionId, project, branch, status, startedAt, endedAt } = session;
  const front = { sessionId, project, branch, status, startedAt, endedAt };
  const lines = Object.entries(front).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  return [
    `---\n${lines.join("")}---\n\n# ${session.title ?? sessionId}\n`,
    checkpoint === null ? "" : summaryOf(checkpoint),
    ...turns.map(turnText),
  ].join("");
}

function summaryOf(checkpoint: Checkpoint): string {
  const parts = [
    ["Request", checkpoint.request],
    ["Investigated", checkpoint.investigated],
    ["Learned", checkpoint.learned],
    ["Completed", checkpoint.completed],
    ["Next steps", checkpoint.nextSteps],
    ["Files read", checkpoint.filesRead.join(", ")],
    ["Files edited", checkpoint.filesEdited.join(", ")],
    ["Notes", checkpoint.notes],
  ] as const;
  return parts
    .filter(([, text]) => text !== "")
    .map(([title, text]) => `\n**${title}:** ${text}\n`)
    .join("");
}

const turnText = ({ n, startedAt, prompt, answer }: Turn): string =>
  prompt === null
    ? `\n## ${n}. ${isoTime(startedAt)}\n\n(private)\n`
    : `\n## ${n}. ${isoTime(startedAt)}\n\n${quoted(attributed(prompt))}\n${answer === null ? "" : `\n${answer}\n`}`;

const quoted = (text: string): string =>
  text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
