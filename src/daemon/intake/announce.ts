/** Lines for the user beside a prompt, in the client and not in the model's context; and notices that wait for one. */
import { agentOf, isNews, type KeptAgent, shortIdOf, type Store, type Turn } from "#domain";
import { counted, cutAtWord, localDate, oneLine } from "#kit";
import { isRuleToldAtStart, pairMarks, ruleCategories, type Orders, endedBy } from "#memory";
import { offerFor } from "./guards.ts";
import type { Remembered } from "../jobs/remember.ts";
import type { WorkerContext } from "../context.ts";

/** Agents that show the user a line, by the event that brings it (src/clients/agents/spec.ts). */
const showing: Readonly<Record<"start" | "submit", readonly KeptAgent[]>> = {
  start: ["claude", "codex"],
  submit: ["claude", "codex", "gemini"],
};

/** With a session's start or its first prompt: what is broken, once for as long as it is. */
export function faultLine(
  { fault, settings, store: { admin } }: WorkerContext,
  { sessionId, type }: { readonly sessionId: string; readonly type: "start" | "submit" },
): string | null {
  if (!settings().announce.faults || !showing[type].includes(agentOf(sessionId))) return null;
  const found = fault?.() ?? null;
  const isFresh = isNews(admin, "announce.fault", found?.id ?? null);
  return found === null || !isFresh ? null : `Continuity: ${found.line}.`;
}

const rulesMax = 200;
const titleCharsMax = 80;

const firstLine = (program: string): string =>
  'Continuity is on. It keeps what you order ("remember that …") and what Claude saves; ' +
  `\`${program} status\` shows it.`;

const weekMs = 7 * 86_400_000;

/**
 * With the first start of the user's day: how many rules stand here, and what the last session was about. The very
 * first start says that memory is on; a week later, and every week from then on, the line counts what it did.
 */
export function dayLine(
  { program, settings, store }: WorkerContext,
  event: { readonly sessionId: string; readonly source: string; readonly atMs: number },
  project: string | null,
): { readonly message?: string } {
  if (!settings().announce.start || !showing.start.includes(agentOf(event.sessionId))) return {};
  const day = localDate(event.atMs);
  if (event.source !== "startup" || store.admin.getMeta("announce.day") === day) return {};
  const isFirst = isFirstContact(store);
  const week = weekLine(store, event.atMs);
  const message = isFirst ? firstLine(program) : (week ?? projectLine(store, project));
  if (message === null) return {};
  store.admin.setMeta("announce.day", day);
  return { message };
}

/** True until a line was told, whatever was imported before. */
const isFirstContact = ({ admin }: Store): boolean => admin.getMeta("announce.week") === null;

/** Notice of the very first start, which no daemon answered: memory is on. Told with the first prompt. */
export function lateFirstLine(
  { program, settings, store }: WorkerContext,
  { sessionId, atMs }: { readonly sessionId: string; readonly atMs: number },
): string | null {
  const isShown = settings().announce.start && showing.submit.includes(agentOf(sessionId));
  if (!isShown || !isFirstContact(store)) return null;
  store.admin.setMeta("announce.week", `${atMs}`);
  store.admin.setMeta("announce.day", localDate(atMs));
  return firstLine(program);
}

/** `projectLine` names the number of rules in the project, and the title of its last session; null without either. */
function projectLine(store: Store, project: string | null): string | null {
  const rules = ruleCount(store, project);
  const title = lastTitle(store, project);
  const parts = [
    ...(rules === 0 ? [] : [counted(rules, "rule")]),
    ...(title === "" ? [] : [`last session "${title}"`]),
  ];
  return parts.length === 0 ? null : `Continuity: ${parts.join(", ")}`;
}

/** `weekLine` sums up the week that is over; null within it, and after a week without a session. */
function weekLine({ admin, figures, nodes, sessions }: Store, atMs: number): string | null {
  const from = admin.getMeta("announce.week");
  if (from !== null && atMs - Number(from) < weekMs) return null;
  admin.setMeta("announce.week", `${atMs}`);
  if (from === null) return null;
  const since = { projects: null, sinceMs: atMs - weekMs };
  // The session that starts has been recorded already.
  const met = sessions.count(since) - 1;
  if (met <= 0) return null;
  const kept = nodes.count({ ...since, statuses: ["active"] });
  const given = figures.shown(since.sinceMs).memories;
  const memories = `${counted(kept, "memory", "memories")} kept, ${given} given back`;
  return `Continuity, 7 days: ${counted(met, "session")}, ${memories}`;
}

/** Notes that a headless run was archived, which its user is to be told once. */
export const noteHeadless = ({ admin }: Store): void =>
  admin.setMeta("announce.headless", admin.getMeta("announce.headless") ?? "due");

/** With the start that follows the first archived run: what is done with such runs. */
export function headlessLine(
  { program, settings, store: { admin } }: WorkerContext,
  { sessionId }: { readonly sessionId: string },
): { readonly message: string } | null {
  const isTold = !settings().announce.start || !showing.start.includes(agentOf(sessionId));
  if (isTold || admin.getMeta("announce.headless") !== "due") return null;
  admin.setMeta("announce.headless", "told");
  const message =
    "Continuity: runs of `claude -p` and SDKs are recorded, but their prompts make no memories. If a program of " +
    `yours runs Claude Code so, \`${program} config set capture.headless full\` makes its prompts count as yours.`;
  return { message };
}

/** Rules of the user that hold in the project. */
function ruleCount({ nodes }: WorkerContext["store"], project: string | null): number {
  const filter = {
    projects: project === null ? [] : [project],
    categories: ruleCategories,
    statuses: ["active" as const],
  };
  const rules = nodes.outlines(filter, "recent", { limit: rulesMax });
  return rules.filter((node) => isRuleToldAtStart(node)).length;
}

/** Title of the project's last session; empty when that is not known. */
function lastTitle({ sessions }: WorkerContext["store"], project: string | null): string {
  const [last] = project === null ? [] : sessions.recentCheckpoints(project, 1);
  return cutAtWord(oneLine(last?.request.split(" → latest: ").at(-1) ?? ""), titleCharsMax);
}

/**
 * With the prompt that opens `turn`: what earlier prompts could not tell, what was kept because the user said so in it,
 * and a guard that is offered, which is told once.
 */
export function announcement(
  deps: WorkerContext,
  turn: Turn,
  kept: readonly Remembered[],
): { readonly message?: string } {
  const lines = [
    turn.n === 1 ? faultLine(deps, { ...turn, type: "submit" }) : null,
    showing.submit.includes(agentOf(turn.sessionId)) ? takeDue(deps, turn.sessionId) : null,
    keptLine(deps, kept),
    offerFor(deps.store, turn, deps.program),
  ];
  const message = lines.filter((line) => line !== null).join("\n");
  return message === "" ? {} : { message };
}

/** True where the user is told what came of an order, if the client shows such lines. */
export const isToldOfOrders = ({ settings }: WorkerContext, sessionId: string): boolean =>
  settings().announce.remembered && showing.submit.includes(agentOf(sessionId));

const keptMax = 3;
const keptCharsMax = 160;

/** Tells the user the outcome of a prompt's orders; null when there is nothing to say. */
export function keptLine(deps: WorkerContext, kept: readonly Remembered[]): string | null {
  if (!deps.settings().announce.remembered) return null;
  const lines = [
    rememberedLine(deps, kept),
    endedLine(deps, kept),
    ...kept.flatMap(({ orders, saidAbout }) => [
      saidLine(deps, saidAbout),
      hiddenLine(deps, orders?.secret),
      cutLine(deps, orders?.isCut),
      emptyLine(deps, orders?.isEmpty),
    ]),
  ].filter((line) => line !== null);
  return lines.length === 0 ? null : lines.join("\n");
}

/** `Remembered: staging listens on port 5433 (#7q)`, with the earlier order that it contradicts. */
function rememberedLine({ store }: WorkerContext, kept: readonly Remembered[]): string | null {
  const nodes = kept.flatMap(({ node }) => node ?? []);
  if (nodes.length === 0) return null;
  const told = nodes.slice(0, keptMax);
  const { markOf } = pairMarks(
    store.nodes,
    told.map(({ id }) => id),
  );
  const endedWith = endedOf(store, kept);
  const shown = told.map(
    ({ id, l0 }) =>
      `${cutAtWord(oneLine(l0), keptCharsMax)} (${shortIdOf(id)}${endedWith(id)}${markOf(id)})`,
  );
  const more = nodes.length > keptMax ? [`${nodes.length - keptMax} more`] : [];
  return `${headOf(kept)}: ${[...shown, ...more].join("; ")}`;
}

/** `; ended: "staging listens on port 5432"` for a memory that ended others. */
function endedOf({ nodes }: Store, kept: readonly Remembered[]): (id: number) => string {
  const ending = new Set(
    kept.flatMap(({ plan, node }) => (plan === "supersede" && node !== null ? [node.id] : [])),
  );
  return (id) => {
    if (!ending.has(id)) return "";
    const lines = endedBy(nodes, id).map(({ l0 }) => `"${cutAtWord(oneLine(l0), keptCharsMax)}"`);
    return lines.length === 0 ? "" : `; ended: ${lines.join(", ")}`;
  };
}

function headOf(kept: readonly Remembered[]): string {
  if (kept.every(({ plan }) => plan === "skip")) return "Known already";
  const isAgain = kept.some((one) => one.isAgain === true);
  return isAgain ? "Remembered again, though it was forgotten" : "Remembered";
}

/** Tells the outcome of an order to forget; deletion for good is a command of its own. */
function endedLine({ program }: WorkerContext, kept: readonly Remembered[]): string | null {
  const ended = kept.flatMap((one) => one.ended ?? []);
  const nodes = ended.filter((one) => one !== "unclear");
  if (nodes.length > 0) {
    const shown = nodes.map(
      ({ id, l0 }) => `${cutAtWord(oneLine(l0), keptCharsMax)} (${shortIdOf(id)})`,
    );
    return `Ended: ${shown.join("; ")}. \`${program} undo\` brings it back, \`${program} forget\` deletes for good.`;
  }
  return ended.length === 0
    ? null
    : `Continuity: more than one memory may be meant, so none has ended. \`${program} find\` names them, ` +
        `\`${program} forget ID\` deletes one.`;
}

/** Names the command for what was said and is no memory. */
function saidLine({ program }: WorkerContext, about: string | undefined): string | null {
  if (about === undefined) return null;
  const words = oneLine(about).replaceAll("'", "");
  return (
    "Continuity: no memory says that, so none has ended. " +
    `\`${program} forget '${words}'\` finds and deletes what was said.`
  );
}

function hiddenLine(
  { program }: WorkerContext,
  secret: Orders["secret"] | undefined = null,
): string | null {
  if (secret === null) return null;
  const outcome =
    secret === "hidden"
      ? "a word of that order looked like a secret and is kept as [redacted]"
      : "a word of that order looked like a secret, and the rest says too little, so it was not stored";
  return (
    `Continuity: ${outcome}. If it is none, run ` +
    `\`${program} config set privacy.allow 'THE WORD'\` and say it again.`
  );
}

const cutLine = ({ program }: WorkerContext, isCut = false): string | null =>
  isCut
    ? "Continuity: that order was too long to be kept whole. Say the rest in parts, or run " +
      `\`${program} remember 'TEXT'\`.`
    : null;

const emptyLine = ({ program }: WorkerContext, isEmpty = false): string | null =>
  isEmpty
    ? 'Nothing to remember was found. Say it in one sentence ("remember that …"), or run ' +
      `\`${program} remember 'TEXT'\`.`
    : null;

// Notices that did not reach the user, because their event was left in the spool or its hook had left before the
// answer: the next prompt of the same project that is answered brings them, in whatever session.

const projectOf = ({ store }: { readonly store: Store }, sessionId: string): string =>
  store.sessions.byId(sessionId)?.project ?? "";
/** Notices of a project that wait, a line each. */
const dueMeta = (project: string) => `notice.due:${project}` as const;
/** Characters of what waits; what exceeds them is dropped. */
const dueCharsMax = 1_000;

/** Keeps a session's `notice` for the next prompt of its project that is answered. */
export const keepDue = (deps: { readonly store: Store }, sessionId: string, notice: string): void =>
  keepDueIn(deps, projectOf(deps, sessionId), notice);

/** Keeps a notice for the next prompt of a project that is answered. */
export function keepDueIn(
  { store }: { readonly store: Store },
  project: string,
  notice: string,
): void {
  const name = dueMeta(project);
  const all = [store.admin.getMeta(name), notice].filter((one) => one !== null).join("\n");
  if (all.length <= dueCharsMax) store.admin.setMeta(name, all);
}

/** Returns what waits, once; null when nothing does. */
function takeDue(deps: { readonly store: Store }, sessionId: string): string | null {
  const { store } = deps;
  const name = dueMeta(projectOf(deps, sessionId));
  const due = store.admin.getMeta(name);
  if (due !== null) store.admin.setMeta(name, null);
  return due;
}
