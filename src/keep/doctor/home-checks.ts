/** Judges the home folder, its disk, the clock, the spool and the daemon. Pure. */
import type { Check } from "#domain";
import { counted, isoTime, localTime, msPerMinute } from "#kit";
import { lostFix } from "../damage.ts";
import { type Facts, failed, fine, skipped, warned } from "./facts.ts";

const bytesPerMegabyte = 1_000_000;
/** Below this, SQLite's log of one busy minute may not fit. */
const freeBytesLeast = 20 * bytesPerMegabyte;
const freeBytesLow = 200 * bytesPerMegabyte;
/** Events that have waited longer than this do not wait for a daemon to start. */
const spoolMsMax = msPerMinute;
/** The program was made after this: 2026-01-01, in epoch ms. */
const earliestMs = 1_767_225_600_000;
/** Clocks of one machine differ by less. */
const clockMsMax = 5 * msPerMinute;

export const homeChecks = (facts: Facts): readonly Check[] => [
  homeCheck(facts),
  permissionsCheck(facts),
  diskCheck(facts),
  fileSystemCheck(facts),
  clockCheck(facts),
  configCheck(facts),
  spoolCheck(facts),
  ...lostCheck(facts),
  daemonCheck(facts),
  portCheck(facts),
];

const homeCheck = ({ home }: Facts): Check =>
  home.unwritable === null
    ? fine("home", home.root)
    : failed("home", {
        detail: `${home.root} cannot be written: ${home.unwritable}; nothing is captured`,
        fix: /ENOSPC|EDQUOT/.test(home.unwritable)
          ? "free some disk space"
          : `make it a folder of yours (chmod u+rwx, chown), or set CONTINUITY_HOME to one`,
      });

function permissionsCheck({ home }: Facts): Check {
  const foreign = home.loose.find(({ isOwn }) => !isOwn);
  if (foreign !== undefined)
    return failed("permissions", {
      detail: `${foreign.path} belongs to another user`,
      fix: `sudo chown -R "$USER" ${home.root}`,
    });
  const [open] = home.loose;
  if (open === undefined) return fine("permissions", "only you can read it");
  const changes = home.loose.map(({ path, mode }) => ({
    path,
    mode: isFolder(mode) ? 0o700 : 0o600,
  }));
  const others = changes.length - 1;
  return failed("permissions", {
    detail:
      `others can read ${open.path} (mode ${(open.mode & 0o777).toString(8)})` +
      (others === 0 ? "" : ` and ${others} more`),
    fix:
      `chmod ${isFolder(open.mode) ? "700" : "600"} ${open.path}${others === 0 ? "" : ", …"}; or ` +
      `\`continuity doctor --fix\``,
    remedy: { type: "modes", changes },
  });
}

const isFolder = (mode: number): boolean => (mode & 0o170000) === 0o040000;

function diskCheck({ home: { freeBytes, root } }: Facts): Check {
  if (freeBytes === null) return skipped("disk", "unknown");
  const free = `${Math.floor(freeBytes / bytesPerMegabyte)} MB free`;
  const wrong = {
    detail: `${free} on the disk of ${root}`,
    fix: "free some disk space; on a full disk a reserve takes the next events, and what is lost is reported here",
  };
  if (freeBytes < freeBytesLeast) return failed("disk", wrong);
  return freeBytes < freeBytesLow ? warned("disk", wrong) : fine("disk", free);
}

const fileSystemCheck = ({ home }: Facts): Check =>
  home.network === null
    ? fine("filesystem", "local")
    : failed("filesystem", {
        detail: `${home.root} is on a network file system (${home.network}), where SQLite is not safe`,
        fix: "set CONTINUITY_HOME to a local folder",
      });

/** An event of later: the clock is behind now, or it ran ahead then. */
function clockCheck({ nowMs, store: { hooks } }: Facts): Check {
  const lastMs = Math.max(0, ...hooks.map((hook) => hook.lastMs));
  const setClock = "set the system's clock (Linux: `timedatectl set-ntp true`)";
  if (nowMs < earliestMs)
    return failed("clock", { detail: `the clock says ${isoTime(nowMs)}`, fix: setClock });
  if (lastMs <= nowMs + clockMsMax) return fine("clock", localTime(nowMs).replace("T", " "));
  return warned("clock", {
    detail: `the clock says ${isoTime(nowMs)}, but an event came at ${isoTime(lastMs)}`,
    fix: `${setClock}; if it is right, it ran ahead when that event came`,
  });
}

const configCheck = ({ home }: Facts): Check =>
  home.config[0] === undefined
    ? fine("config", "valid")
    : failed("config", { detail: home.config.join("; "), fix: "run `continuity config edit`" });

function spoolCheck({ home: { root, spool }, nowMs }: Facts): Check {
  const { aside, files, oldestMs } = spool;
  const waitedMs = oldestMs === null ? 0 : nowMs - oldestMs;
  if (waitedMs > spoolMsMax)
    return failed("spool", {
      detail: `${counted(files, "event")} not processed for ${Math.floor(waitedMs / msPerMinute)} min`,
      fix: "run `continuity flush`; if that fails, `continuity status --log` says why",
      remedy: { type: "flush" },
    });
  if (aside > 0)
    return warned("spool", {
      detail: `${counted(aside, "event")} could not be processed; kept as *.bad in ${root}/spool`,
      fix: "see `continuity status --log`; delete them if they are not needed",
    });
  return fine("spool", files === 0 ? "nothing waits" : `${counted(files, "event")} on the way`);
}

/** Nothing is said where nothing was lost. */
const lostCheck = ({ home: { lost } }: Facts): readonly Check[] =>
  lost === null
    ? []
    : [warned("lost-events", { detail: lost, fix: lostFix, remedy: { type: "clear-lost" } })];

function daemonCheck({ daemon, version }: Facts): Check {
  switch (daemon.state) {
    case "away":
      return fine("daemon", "not running (it starts when needed)");
    case "hung":
      return failed("daemon", {
        detail:
          `the daemon${daemon.pid === null ? "" : ` (pid ${daemon.pid})`} does not answer; ` +
          "hooks keep their events in files until it does",
        fix: "run `continuity doctor --fix` to stop it; no accepted event is lost",
        remedy: { type: "stop-daemon" },
      });
    case "foreign":
      return failed("daemon", {
        detail: "the daemon's socket belongs to another user",
        fix: "delete daemon.sock in the home folder, or set CONTINUITY_HOME to a folder of yours",
      });
    case "running": {
      const told =
        `pid ${daemon.pid ?? "?"}, version ${daemon.version ?? "?"}, answers in ` +
        `${daemon.answeredMs ?? "?"} ms`;
      return daemon.version === version
        ? fine("daemon", told)
        : warned("daemon", {
            detail: `${told}; this program is ${version}`,
            fix: "nothing, if it is older: the next hook starts the newer one; else install the newer program",
          });
    }
    default:
      return daemon.state satisfies never;
  }
}

function portCheck({ daemon }: Facts): Check {
  const { isPortTaken, port, state, wantedPort } = daemon;
  const fix = "stop that program, or choose another port: `continuity config set server.port N`";
  if (state === "running" && port === null)
    return failed("port", {
      detail: `no port from ${wantedPort} to ${wantedPort + 9} is free; hooks do not need one, the viewer does`,
      fix,
    });
  if (isPortTaken)
    return warned("port", {
      detail:
        `port ${wantedPort} is in use by another program` +
        (port === null ? "; the next free one will be taken" : `; ${port} is used instead`),
      fix,
    });
  return fine("port", port === null ? `${wantedPort} is free` : `${port}`);
}

/** Judges database, embedder, model and budget. Pure. */
export const storeChecks = (facts: Facts): readonly Check[] => [
  databaseCheck(facts),
  embedderCheck(facts),
  modelCheck(facts),
  budgetCheck(facts),
];

function databaseCheck({ store }: Facts): Check {
  if (store.state === "missing") return fine("database", "none yet (created by the first event)");
  if (store.state === "unusable")
    return failed("database", { detail: store.problem, fix: store.next });
  const size = (store.bytes / bytesPerMegabyte).toFixed(1);
  return fine("database", `sound, ${size} MB`);
}

function embedderCheck({ store: { embedder } }: Facts): Check {
  const name = embedder.id.replace(/@.*$/s, "");
  if (embedder.problem === null)
    return fine("embedder", `${name}${embedder.isEmbedded ? ", built in" : ""}`);
  return failed("embedder", {
    detail: `no answer of ${name}: ${embedder.problem}; search uses keywords only`,
    fix: embedder.isEmbedded
      ? "the program file is damaged: reinstall continuity"
      : "check its server and the key, or `continuity config set embedder.provider embedded`",
  });
}

function modelCheck({ model, nowMs }: Facts): Check {
  const { failure } = model;
  if (model.provider === "none" && model.isUsable) return fine("model", "none is chosen");
  if (model.isUsable && failure !== null)
    return warned("model", {
      detail:
        `${model.provider}: ${model.reason}, but the last call (${failure.model}, ` +
        `${Math.round((nowMs - failure.atMs) / msPerMinute)} min ago) failed: ${wordsFor(failure.outcome)}`,
      fix:
        "`continuity status --jobs` shows what it said, `continuity status --test-model` tries again; names of " +
        "models: `continuity config set llm.model …`",
    });
  if (model.isUsable && model.fault !== null)
    return warned("model", { detail: model.fault.what, fix: model.fault.next });
  if (model.isUsable) return fine("model", `${model.provider}: ${model.reason}`);
  return failed("model", {
    detail: `no model available: ${model.reason}; only orders and the agent's saves are kept`,
    fix: fixOf(model.reason),
  });
}

const wordsFor = (outcome: string): string =>
  ({
    "llm.refused": "it was refused, as it is with a model that does not exist",
    "llm.unauthorised": "the key or the login was not accepted",
    "llm.timeout": "no answer in time",
  })[outcome] ?? "no answer";

/** By what the provider says of itself. */
function fixOf(reason: string): string {
  if (/log(?:ged)? ?in|logged out|no login/i.test(reason))
    return "run `claude auth login`, or choose another: `continuity config set llm.provider …`";
  if (/\bkey\b/i.test(reason))
    return "give it a key as docs/guide/configuration.md says, or `continuity config set llm.provider none`";
  return "fix that, or choose another: `continuity config set llm.provider …`; test: `continuity status --test-model`";
}

function budgetCheck({ model }: Facts): Check {
  const { provider, tokensPerDay, tokensToday } = model;
  if (provider === "none") return skipped("budget", "no model, no tokens");
  const told = `${tokensToday.toLocaleString("en-US")} of ${tokensPerDay.toLocaleString("en-US")} tokens today`;
  return tokensToday < tokensPerDay
    ? fine("budget", told)
    : warned("budget", {
        detail: `the budget is used up: ${told}; only orders and the agent's saves are kept`,
        fix: "wait until midnight, or `continuity config set llm.tokens_per_day N`",
      });
}
