/** Collects for doctor the facts about the database, the embedded model and the language model. */
import { loadLlm } from "#models";
import { existsSync } from "node:fs";
import { daemonEnvironment } from "#hooks";
import { connectDaemon } from "#daemon";
import type { ModelFacts, StoreFacts } from "#keep";
import type { LastCall, Store, Context } from "#domain";
import { dayStart } from "#kit";
import { checkOurs } from "#store";
import { openReader } from "./reading.ts";
import { openEmbedder } from "./embedder-source.ts";
import { explainOpenError, modelFault } from "./fault.ts";
import { unchosen } from "./model-source.ts";

const latenciesMax = 200;

/** Checks the whole database file and reads what hooks did. `hasDaemon`: one answers. */
export async function storeFacts(app: Context, hasDaemon: boolean): Promise<StoreFacts> {
  // The daemon writes what it has measured and not stored yet before it answers this.
  const daemon = hasDaemon ? await connectDaemon(app.paths) : null;
  await daemon?.fetch("/api/status").catch(() => undefined);
  const nothing = {
    problem: "",
    next: "",
    bytes: 0,
    hooks: [],
    lastSession: null,
    embedder: await embedderFact(app),
  };
  const reader = openReader(app, "readonly");
  if (!reader.ok) {
    if (reader.error.type === "store.missing") return { ...nothing, state: "missing" };
    const { message, next = "" } = explainOpenError(reader.error, app.paths);
    return { ...nothing, state: "unusable", problem: message, next };
  }
  const { store } = reader.value;
  try {
    const checked = checkOurs(app.paths.database);
    const read = {
      ...nothing,
      bytes: store.admin.sizeBytes(),
      hooks: hooksOf(store),
      lastSession: lastSessionOf(store),
    };
    if (checked.ok) return { ...read, state: "open" };
    const { message, next = "" } = explainOpenError(checked.error, app.paths);
    return { ...read, state: "unusable", problem: message, next };
  } finally {
    store[Symbol.dispose]();
  }
}

/** Lets the chosen embedder work on one word; a server is asked as the daemon would. */
async function embedderFact(app: Context): Promise<StoreFacts["embedder"]> {
  const { embedder: settings } = app.settings.current();
  const isEmbedded = settings.provider === "embedded";
  const env = daemonEnvironment(app.env, app.paths.root);
  const opened = openEmbedder({ ...app, env }, settings);
  if (!opened.ok) return { id: settings.provider, isEmbedded, problem: opened.error.detail };
  const { identity, embed, remote } = opened.value;
  const id = `${identity.id} (${identity.dimension} dimensions)`;
  const made = remote === undefined ? embed("ready") : await remote.documents(["ready"]);
  if (made === null || !("ok" in made))
    return { id, isEmbedded, problem: made === null ? "it knows no word" : null };
  return { id, isEmbedded, problem: made.ok ? null : made.error };
}

function hooksOf(store: Store): StoreFacts["hooks"] {
  const latencies = store.events.latencies(latenciesMax);
  return store.events.lastByHook().map(({ hook, receivedAtMs }) => ({
    hook,
    lastMs: receivedAtMs,
    latenciesMs: latencies.get(hook) ?? [],
  }));
}

/**
 * Sessions that were imported, fed by another agent, or made by hand through `continuity hook` (those have no
 * transcript), fire no hooks and do not count.
 */
function lastSessionOf(store: Store): StoreFacts["lastSession"] {
  const id = store.events.lastSession();
  if (id === null) return null;
  return {
    isEnded: store.sessions.byId(id)?.status !== "active",
    fired: store.events.firedIn(id),
  };
}

/** Asks the chosen provider whether it would answer, which costs no token; nobody when none is chosen. */
export async function modelFacts(app: Context): Promise<ModelFacts> {
  const { llm } = app.settings.current();
  const { last, tokensToday, fault } = ledgerFacts(app);
  const tokens = { tokensToday, tokensPerDay: llm.tokensPerDay, failure: null, fault };
  if (llm.provider === "none") return { ...unchosen, ...tokens };
  const { chooseProvider } = await loadLlm();
  // As the daemon would: it has no API keys of the shell's environment.
  const env = daemonEnvironment(app.env, app.paths.root);
  const { clock, random } = app;
  const chosen = await chooseProvider({ home: app.paths.root, env, clock, random }, llm);
  const { provider } = chosen;
  if (provider === null)
    return { provider: llm.provider, isUsable: false, reason: chosen.reason, ...tokens };
  try {
    const { usable, reason } = await provider.probe();
    const isFailure = last?.provider === provider.name && !passing.has(last.outcome);
    const failure = isFailure ? last : null;
    return { provider: provider.name, isUsable: usable, reason, ...tokens, failure };
  } finally {
    await provider.close();
  }
}

/** Outcomes that pass by themselves, or say nothing about the settings. */
const passing: ReadonlySet<string> = new Set(["ok", "llm.rate-limited", "llm.unreadable"]);

function ledgerFacts(app: Context): {
  readonly tokensToday: number;
  readonly last: LastCall | null;
  readonly fault: ModelFacts["fault"];
} {
  const none = { tokensToday: 0, last: null, fault: null };
  if (!existsSync(app.paths.database)) return none;
  const reader = openReader(app, "readonly");
  if (!reader.ok) return none;
  const { store } = reader.value;
  const today = dayStart(app.clock.nowMs());
  try {
    // The provider itself is asked if it can be had.
    const fault = modelFault(app, store, true);
    const [what = "", next = ""] = fault?.line.split("; ") ?? [];
    return {
      tokensToday: store.ledger.tokensSince(today, null),
      last: store.ledger.last(),
      fault: fault === null ? null : { what, next },
    };
  } finally {
    store[Symbol.dispose]();
  }
}
