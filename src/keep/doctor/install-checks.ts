/** Judges what connects the client with the program: files, programs, switches, the client itself. Pure. */
import { hookEntryFor, registeredEvents } from "#clients";
import { type Check, type HookName, hookNames, type Remedy } from "#domain";
import { counted, localTime } from "#kit";
import { type Facts, failed, fine, type HookFacts, skipped, warned } from "./facts.ts";
import type { InstalledHook, InstallPlace, ProgramFacts } from "./facts-install.ts";

/** Hooks are written in exec form (`args`), which older clients do not know: they would run the bare program. */
const oldestClient = "2.1.139";

export const installChecks = (facts: Facts): readonly Check[] => [
  binaryCheck(facts),
  settingsCheck(facts),
  installsCheck(facts),
  switchesCheck(facts),
  serverCheck(facts),
  clientCheck(facts),
];

const withHooks = ({ install }: Facts): readonly InstallPlace[] =>
  install.places.filter(({ hooks }) => hooks.length > 0);

function binaryCheck(facts: Facts): Check {
  const { programs } = facts.install;
  if (programs.length === 0) return skipped("binary", "no hooks installed");
  const wrong = programs.flatMap((program) => programFault(program, facts) ?? []);
  if (wrong[0] !== undefined) return wrong[0];
  const paths = programs.map(({ path }) => path).join(", ");
  return fine("binary", `${paths}, version ${facts.version}`);
}

function programFault(program: ProgramFacts, facts: Facts): Check | null {
  const { path } = program;
  const remedy = reinstall(facts);
  if (!program.isTrusted)
    return warned("binary", {
      detail: `${path} is named by a project's settings only and was not run`,
      fix: "check that file; `continuity install --project` writes the path of this program",
    });
  if (!program.exists)
    return failed("binary", {
      detail: `the hooks run ${path}, which is not there`,
      fix: "run `continuity install` from its current location",
      ...remedy,
    });
  if (!program.isExecutable)
    return failed("binary", {
      detail: `${path} is not executable`,
      fix: `chmod +x ${path}`,
      remedy: { type: "modes", changes: [{ path, mode: 0o755 }] },
    });
  if (program.version === null)
    return failed("binary", {
      detail: `${path} did not print a version`,
      fix: "reinstall continuity, or run `continuity install` from another copy",
    });
  if (program.version === facts.version) return null;
  return warned("binary", {
    detail: `the hooks run ${path} of version ${program.version}, this is ${facts.version}`,
    fix: "run `continuity install` from the version to use",
    ...remedy,
  });
}

/**
 * Putting hooks into the user's settings mends those of the user; beside a project's or a plugin's it would double
 * them.
 */
const reinstall = (facts: Facts): { readonly remedy?: Remedy } =>
  withHooks(facts).every(({ kind }) => kind === "user") && withHooks(facts).length > 0
    ? { remedy: { type: "install" } }
    : {};

function settingsCheck(facts: Facts): Check {
  const broken = facts.install.places.find(({ problem }) => problem !== null);
  if (broken !== undefined)
    return failed("settings", {
      detail: `${broken.path} cannot be read: ${broken.problem}`,
      fix: "correct that place; Claude Code ignores the whole file until then",
    });
  const places = withHooks(facts);
  const [first] = places;
  if (first === undefined)
    return failed("settings", {
      detail: "no continuity hooks in Claude Code's settings",
      fix: "run `continuity install`",
    });
  const whole = places.find((place) => faultsOf(place).length === 0);
  if (whole !== undefined)
    return fine("settings", `${counted(whole.hooks.length, "hook")} in ${whole.path}`);
  return failed("settings", {
    detail: `${first.path}: ${faultsOf(first).join("; ")}`,
    fix: "run `continuity install`",
    ...reinstall(facts),
  });
}

/** `faultsOf` lists the differences from what install writes. A longer timeout is the user's choice. */
function faultsOf({ hooks }: InstallPlace): readonly string[] {
  const missing = registeredEvents.filter((event) => !hooks.some((hook) => hook.event === event));
  const odd = hooks.filter((hook) => !isAsWritten(hook)).map(({ event }) => event);
  const doubled = hooks
    .filter((hook, at) => hooks.findIndex(({ event }) => event === hook.event) < at)
    .map(({ event }) => event);
  return [
    ...(missing.length > 0 ? [`no hook for ${missing.join(", ")}`] : []),
    ...(odd.length > 0 ? [`changed for ${[...new Set(odd)].join(", ")}`] : []),
    ...(doubled.length > 0 ? [`twice for ${[...new Set(doubled)].join(", ")}`] : []),
  ];
}

function isAsWritten({ event, command, args, timeout }: InstalledHook): boolean {
  if (args === null) return true;
  const wanted = hookEntryFor(event, command);
  const isLong = timeout === null || timeout >= wanted.timeout;
  return isLong && JSON.stringify(args.slice(0, 2)) === JSON.stringify(wanted.args);
}

function installsCheck(facts: Facts): Check {
  const places = withHooks(facts);
  if (places.length < 2)
    return places.length === 0 ? skipped("installs", "none") : fine("installs", "installed once");
  const names = places.map(({ kind, path }) => `${kind} (${path})`).join(" and ");
  const hasPlugin = places.some(({ kind }) => kind === "plugin");
  return warned("installs", {
    detail: `installed ${places.length} times: ${names}; each event starts an extra process`,
    fix: hasPlugin
      ? "keep one: `claude plugin uninstall continuity@continuity`, or `continuity uninstall`"
      : "keep one: `continuity uninstall --project` in that project, or `continuity uninstall`",
  });
}

function switchesCheck({ install, home }: Facts): Check {
  const [first] = install.switches;
  if (first !== undefined)
    return failed("hooks-enabled", {
      detail: `"${first.name}" in ${first.path} keeps Claude Code from running hooks`,
      fix: `take "${first.name}" out of that file`,
    });
  if (install.isOffHere)
    return warned("hooks-enabled", {
      detail: "CONTINUITY_OFF is set in this shell: sessions started here are not captured",
      fix: "unset CONTINUITY_OFF",
    });
  if (home.isPaused)
    return warned("hooks-enabled", {
      detail: "capture is paused",
      fix: "run `continuity pause --off`",
    });
  return fine("hooks-enabled", "hooks are enabled");
}

const serverCheck = (facts: Facts): Check =>
  facts.install.hasServer || facts.install.places.some(({ kind }) => kind === "plugin")
    ? fine("mcp", "Claude Code knows the MCP server")
    : warned("mcp", {
        detail: "Claude Code does not know the MCP server, so the agent cannot look things up",
        fix: "run `continuity install`",
        ...reinstall(facts),
      });

function clientCheck({ install }: Facts): Check {
  const { client } = install;
  if (client === null)
    return warned("client", {
      detail: "no `claude` on the PATH",
      fix: "install Claude Code, or put it on the PATH",
    });
  if (client.version === null)
    return warned("client", {
      detail: `${client.path} did not print a version`,
      fix: `see what \`${client.path} --version\` says`,
    });
  if (isOlder(client.version, oldestClient))
    return failed("client", {
      detail: `Claude Code ${client.version} does not know hooks with arguments (${oldestClient} does)`,
      fix: "run `claude update`",
    });
  return fine("client", `Claude Code ${client.version}`);
}

/** Compares `1.2.3` by its numbers; what is no version is not older. */
function isOlder(found: string, wanted: string): boolean {
  const a = /^(\d+)\.(\d+)\.(\d+)/.exec(found)?.slice(1).map(Number);
  const b = wanted.split(".").map(Number);
  const at = a?.findIndex((part, index) => part !== b[index]) ?? -1;
  return a !== undefined && at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}

// Judges each hook by what it really did: when it fired last, in the last session too, and how long it took. Pure.

/** A prompt that waits longer for its hook than this is felt. */
const slowMs: Readonly<Record<HookName, number>> = {
  start: 1_500,
  submit: 250,
  tool: 250,
  stop: 250,
  subagent: 250,
  compact: 250,
  end: 250,
};

/** The hooks that every session with a prompt fires; the others need a tool, a subagent or a compaction. */
const always: ReadonlySet<HookName> = new Set(["start", "submit", "stop"]);

export const hookChecks = (facts: Facts): readonly Check[] =>
  hookNames.map((hook) => hookCheck(facts, hook));

function hookCheck(facts: Facts, hook: HookName): Check {
  const id = `hook-${hook}`;
  const seen = facts.store.hooks.find((one) => one.hook === hook) ?? null;
  const { lastSession } = facts.store;
  if (facts.store.state === "unusable") return skipped(id, "cannot read the database");
  if (lastSession === null) return unseen(id, always.has(hook));
  const fired = lastSession.fired.get(hook) ?? 0;
  const isDue = isDueIn(lastSession, hook);
  if (fired === 0 && isDue)
    return failed(id, {
      detail: `did not fire in the last session${seen === null ? "" : ` (last ${minuteOf(seen.lastMs)})`}`,
      fix: "run `continuity install`, then restart Claude Code to load the hooks",
    });
  if (seen === null) return skipped(id, "not triggered yet");
  return judged(seen, hook, fired);
}

/** A session under way may be in the middle of its first turn. */
function isDueIn(session: NonNullable<Facts["store"]["lastSession"]>, hook: HookName): boolean {
  if (hook === "end") return false;
  if (hook === "start") return true;
  return always.has(hook) && session.isEnded && (session.fired.get("submit") ?? 0) > 0;
}

const unseen = (id: string, isExpected: boolean): Check =>
  isExpected
    ? warned(id, {
        detail: "not seen yet",
        fix: "start a new session of Claude Code, send a prompt, then run `continuity doctor` again",
      })
    : skipped(id, "not seen yet");

/** `2026-11-29 04:05`, by the local clock. */
const minuteOf = (atMs: number): string => localTime(atMs).replace("T", " ");

function judged(seen: HookFacts, hook: HookName, fired: number): Check {
  const id = `hook-${hook}`;
  const sorted = seen.latenciesMs.toSorted((a, b) => a - b);
  const at = (share: number): number | null =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
  const [medianMs, p95Ms] = [at(0.5), at(0.95)];
  const where =
    fired === 0 ? "not in the last session" : `${counted(fired, "time")} in the last session`;
  const speed = medianMs === null ? "speed not known yet" : `takes ${Math.round(medianMs)} ms`;
  const detail = `last ${minuteOf(seen.lastMs)}, ${where}, ${speed}`;
  if (p95Ms === null || p95Ms <= slowMs[hook]) return fine(id, detail);
  return warned(id, {
    detail: `slow: ${detail}, one in twenty ${Math.round(p95Ms)} ms or more`,
    fix: "the machine may be overloaded; `continuity status --log` names hooks that found the daemon too slow",
  });
}
