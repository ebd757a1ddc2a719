/**
 * Answers on their way. A hook that says so confirms its answer once the client has it; until then what the answer gave
 * counts as late, its start text comes with the next prompt, and so does its line for the user. A hook that was killed,
 * or whose reader had gone, confirms nothing.
 */
import {
  injectionChannels,
  type HookEnvelope,
  type HookName,
  type HookReply,
  type InjectionChannel,
  type Withheld,
  type Store,
} from "#domain";
import { dueStartOf, setDueStart } from "./due-start.ts";
import { keepDue } from "./notices.ts";
import { textOf } from "./payload.ts";
import type { Clock } from "#kit";

type Deps = { readonly store: Store; readonly clock: Clock };

interface Awaited {
  readonly key: string;
  readonly sessionId: string;
  readonly sinceMs: number;
  readonly withheld: Withheld;
  readonly notice: string | null;
}

const awaitedMeta = "answers.awaited";
/** Answers that are waited for; hooks of one machine run a few at a time. */
const awaitedMax = 64;
/** After this the hook of another session is taken for dead. */
const awaitedMs = 5_000;

const channelsOf: Readonly<Partial<Record<HookName, readonly InjectionChannel[]>>> = {
  start: ["start"],
  submit: injectionChannels.filter((one) => one !== "subagent" && one !== "tool"),
  tool: ["tool", "hint"],
  subagent: ["subagent"],
};

const awaitedIn = ({ store }: { readonly store: Store }): readonly Awaited[] =>
  JSON.parse(store.admin.getMeta(awaitedMeta) ?? "[]") as readonly Awaited[];

const keep = ({ store }: { readonly store: Store }, list: readonly Awaited[]): void =>
  store.admin.setMeta(
    awaitedMeta,
    list.length === 0 ? null : JSON.stringify(list.slice(-awaitedMax)),
  );

/** Counts what an event is answered as late until its hook confirms it, where it says that it will. */
export function withhold(
  deps: Deps,
  { hook, key, atMs, payload, confirms }: HookEnvelope,
  { context, message }: HookReply,
): void {
  if (confirms !== true || (context === "" && message === undefined)) return;
  const sessionId = textOf(payload, "session_id") ?? "";
  const withheld = deps.store.exposure.withhold({ sessionId, atMs }, channelsOf[hook] ?? []);
  const source = startOf(withheld);
  if (source !== null) setDueStart(deps.store, sessionId, source);
  keep(deps, [
    ...awaitedIn(deps),
    { key, sessionId, sinceMs: deps.clock.nowMs(), withheld, notice: message ?? null },
  ]);
}

const startOf = ({ injections }: Withheld): string | null =>
  injections.find(({ channel }) => channel === "start")?.cause ?? null;

/** Notes that the client has the answers to these events. */
export const noteDelivered = (deps: Deps, keys: readonly string[]): void =>
  deps.store.transaction(() => {
    for (const one of take(deps, ({ key }) => keys.includes(key))) deliver(deps, one);
  });

function deliver({ store }: Deps, { sessionId, withheld }: Awaited): void {
  store.exposure.deliver(withheld);
  const source = startOf(withheld);
  if (source !== null && dueStartOf(store, sessionId) === source)
    setDueStart(store, sessionId, null);
}

function take(deps: Deps, isMeant: (one: Awaited) => boolean): readonly Awaited[] {
  const list = awaitedIn(deps);
  const taken = list.filter(isMeant);
  if (taken.length > 0)
    keep(
      deps,
      list.filter((one) => !isMeant(one)),
    );
  return taken;
}

/** Gives up the answers to earlier hooks of this session, and to old ones of others. */
export function giveUpAnswers(deps: Deps, sessionId: string): void {
  const oldMs = deps.clock.nowMs() - awaitedMs;
  for (const one of take(deps, (each) => each.sessionId === sessionId || each.sinceMs < oldMs))
    if (one.notice !== null) keepDue(deps, one.sessionId, one.notice);
}

const firstPrompt = "first-prompt";

/** Gives up the answer to an event that its hook left in the spool, but a start text that the hook read by itself. */
export function noteLeft(deps: Deps, { key, hook, payload }: HookEnvelope): void {
  const isStartTold = (textOf(payload, "start_context") === firstPrompt) === (hook === "submit");
  for (const one of take(deps, (each) => each.key === key)) {
    if (one.notice !== null) keepDue(deps, one.sessionId, one.notice);
    if (isStartTold) deliver(deps, { ...one, withheld: ofStart(one.withheld) });
  }
}

const ofStart = ({ injections, exposures }: Withheld): Withheld => ({
  injections: injections.filter(({ channel }) => channel === "start"),
  exposures: exposures.filter(({ channel }) => channel === "start"),
});
