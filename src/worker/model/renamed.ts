/**
 * Files and folders that were renamed in a session, in memories that a model or an agent worded: what names the old
 * path names the new one. The user's own words stay as they are. Every change is a revision that can be undone.
 */
import type { MemoryNode, NodePatch, Store, ToolUse } from "#domain";
import { oneLine, tokensOf } from "#kit";
import { limits } from "#memory";
import { index } from "../remember.ts";
import type { ModelDeps, Reading } from "./deps.ts";
import { atMsOf } from "./refining.ts";

interface Rename {
  readonly from: string;
  readonly to: string;
}

const memoriesMax = 400;
const renamesMax = 40;

/** Runs inside the transaction that completes the job. */
export function followRenames(deps: ModelDeps, { job, session, turns }: Reading): void {
  const { store } = deps;
  const uses = turns.flatMap(({ n, toolCount }) =>
    toolCount === 0 ? [] : store.sessions.toolUses(session.sessionId, n),
  );
  const renames = renamesIn(uses, session.cwd);
  if (renames.length === 0 || session.project === null) return;
  for (const node of wordedIn(store, session.project)) {
    const patch = renamed(node, renames);
    if (patch === null) continue;
    const reason = "a file that it names was renamed";
    const cause = { atMs: atMsOf(job, session), action: "edit", by: job.key, reason } as const;
    index(deps, store.nodes.update(node.id, patch, cause));
  }
}

const wordedIn = ({ nodes }: Pick<Store, "nodes">, project: string): readonly MemoryNode[] =>
  nodes
    .list({ projects: [project], statuses: ["active"] }, "recent", {
      limit: memoriesMax,
      offset: 0,
    })
    .filter(
      ({ maker, origin, nodeType, project: own }) =>
        own === project &&
        nodeType === "leaf" &&
        (maker === "extract" || (maker === "manual" && origin === "agent")),
    );

const word = String.raw`("[^"]+"|'[^']+'|[^\s;&|"']+)`;
const moving = new RegExp(
  String.raw`(?<=^|[;&|]\s*|\n\s*)git mv (?:-[fkv]+ )*${word} ${word}\s*(?=$|[;&|\n])`,
  "gu",
);

/** `git mv old new` of two plain paths, in order. */
function renamesIn(uses: readonly ToolUse[], cwd: string | null): readonly Rename[] {
  const near = (path: string): string => {
    const bare = path.replace(/^["']|["']$/g, "").replace(/^\.\//, "");
    return cwd !== null && bare.startsWith(`${cwd}/`) ? bare.slice(cwd.length + 1) : bare;
  };
  return uses
    .filter(
      ({ tool, outcome, target }) =>
        // Behind a `cd` the paths are of another folder.
        tool === "Bash" &&
        outcome === "ok" &&
        target !== null &&
        !/(?:^|[\s;&|])cd\s/u.test(target),
    )
    .flatMap(({ target }) => Array.from((target ?? "").matchAll(moving)))
    .map(([, from = "", to = ""]) => ({ from: near(from).replace(/\/$/, ""), to: near(to) }))
    .map(({ from, to }) => ({ from, to: into(to, from) }))
    .filter(({ from, to }) => from !== to && isPath(from) && isPath(to))
    .slice(0, renamesMax);
}

/** The path of what was moved into a folder, which a file's new name without an end must be; else the new name. */
function into(to: string, from: string): string {
  if (to === ".") return nameOf(from);
  const isFolder = to.endsWith("/") || (nameOf(from).includes(".") && !nameOf(to).includes("."));
  return isFolder ? `${to.replace(/\/$/, "")}/${nameOf(from)}` : to;
}

const nameOf = (path: string): string => path.split("/").at(-1) ?? path;
const folderOf = (path: string): string => path.slice(0, -nameOf(path).length);

/** Tells a path from a word: a folder in it, or an end. */
const isPath = (path: string): boolean => /^[\w@.+/-]{4,200}$/.test(path) && /[./]/.test(path);

/** Null when it names nothing of these, or the new name already. */
function renamed({ l0, files }: MemoryNode, renames: readonly Rename[]): NodePatch | null {
  const said = renames.reduce((text, one) => inText(text, one), l0);
  if (said === l0 || oneLine(said) !== said || tokensOf(said) > limits.l0TokensMax) return null;
  return {
    l0: said,
    files: files.map((path) => renames.reduce((at, one) => inText(at, one), path)),
  };
}

function inText(text: string, { from, to }: Rename): string {
  if (text.includes(to) && !from.includes(to)) return text;
  const whole = text.replace(named(from), (_all, before: string) => `${before}${to}`);
  // By its name alone, where it stayed in its folder.
  const isBare = folderOf(from) === folderOf(to) && nameOf(from).includes(".");
  return isBare && whole === text && !text.includes(nameOf(to))
    ? text.replace(named(nameOf(from)), (_all, before: string) => `${before}${nameOf(to)}`)
    : whole;
}

/** As a whole path, or the beginning of one below it. */
const named = (path: string): RegExp =>
  new RegExp(String.raw`(^|[^\w@.+/-]|(?<![\w.])\./)${RegExp.escape(path)}(?![\w@+-]|\.\w)`, "gu");
