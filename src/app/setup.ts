/**
 * Install and uninstall as the command line asks for them: which files, which program, and a report in words.
 *
 * Several files belong together: all are planned before the first is written, so that a broken one leaves the others
 * as they were.
 */
import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Local, InstallOptions, SetupOptions } from "#cli";
import { isOlderVersion, projectOf } from "#hooks";
import { connectDaemon, isPortTaken, stopDaemon } from "#daemon";
import {
  createPluginFolder,
  hasClientFolder,
  install,
  installServer,
  isPluginOn,
  noteBefore,
  noteProjectTools,
  notWritten,
  serversPathFor,
  settingsPathFor,
  stepsOf,
  survey,
  uninstall,
  type SetupError,
  type SetupReport,
  type SetupStep,
  type SurveyFiles,
} from "#clients";
import { isCopy, settledVersion, settleProgram, unsettleProgram } from "#keep";
import { defaultPort, type AgentName, type Editor } from "#domain";
import {
  err,
  systemClock,
  systemRandom,
  type Result,
  writeFaultIn,
  readText,
  fileNamesIn,
} from "#kit";
import { openStore } from "#store";
import type { SetupPlace } from "./context.ts";
import {
  afterInstall,
  chosenAgents,
  installable,
  missingAgent,
  otherAgentsHere,
  putInAgent,
  takeOutOfAgent,
} from "./agents-setup.ts";

type Changed = Result<SetupReport, SetupError>;

export const createSetup = (place: SetupPlace): Local["setup"] => ({
  ownClients: async () => (await import("./agents-setup.ts")).ownClients(place),
  install: async (request) => {
    const agents = chosenAgents(request.agent, place.env);
    const refusal =
      homelessRefusal(place, request) ?? missingAgent(request.agent, place) ?? refusalFor(place);
    if (refusal !== null) return { failed: true, steps: [refusal], importable: [] };
    const changed = allOrNothing(place, request.dryRun, {
      first: () => placeProgram(place, request.dryRun),
      work: (dryRun) =>
        agents.flatMap((agent) =>
          agent === "claude"
            ? putIn(place, { ...request, dryRun })
            : putInAgent(place, agent, dryRun),
        ),
    });
    if (changed.failed) return { ...changed, importable: [] };
    return installed(place, request, { agents, steps: changed.steps });
  },
  uninstall: async (request) => {
    const refusal = homelessRefusal(place, request);
    if (refusal !== null) return { failed: true, steps: [refusal] };
    const changed = allOrNothing(place, request.dryRun, {
      first: () => [],
      work: (dryRun) => takeOutOfAll(place, { ...request, dryRun }),
    });
    if (changed.failed || request.dryRun) return changed;
    const projectRoot = projectFolder(place, request);
    if (projectRoot !== null) noteProjectTools(place.paths, projectRoot, false);
    // The other projects and agents go on.
    if (projectRoot !== null || !["all", null].includes(request.agent)) return changed;
    createPluginFolder(place).remove();
    const stopped = await stopDaemon(place.paths);
    const end: readonly SetupStep[] =
      stopped === "stopped" ? [{ state: "done", text: "the daemon was stopped" }] : [];
    const steps = [...changed.steps, ...end, ...removeCopy(place), ...pluginLeft(place)];
    const rest = note(`memories and settings are kept in ${place.paths.root} until you delete it`);
    return { failed: false, steps: [...steps, rest] };
  },
});

/** `installed` gives the lines behind the changes; the plugin's folder, and what Claude Code has beside us. */
async function installed(
  place: SetupPlace,
  request: InstallOptions,
  {
    agents,
    steps: changed,
  }: { readonly agents: readonly (AgentName | Editor)[]; readonly steps: readonly SetupStep[] },
): ReturnType<Local["setup"]["install"]> {
  const others = agents.filter((agent) => agent !== "claude");
  const told = request.dryRun ? [] : others.map((agent) => note(afterInstall[agent]));
  if (!agents.includes("claude"))
    return { failed: false, steps: [...changed, ...told], importable: [] };
  const projectRoot = projectFolder(place, request);
  if (projectRoot !== null && !request.dryRun) noteProjectTools(place.paths, projectRoot, true);
  const folder = request.plugin ? [writePlugin(place, request.dryRun)] : [];
  const found = survey(
    { ...surveyFiles, countKnown: knownSessions(place) },
    place.env,
    projectRoot,
  );
  const rivals = found.others.map(({ name, seen, advice }) =>
    note(`${name} is here too (${seen.join(", ")}): ${advice}`),
  );
  const steps = [...folder, ...changed, ...rivals, ...(await portNotes(place))];
  const last = request.dryRun ? [] : closingNotes(place, request);
  const more = request.agent === null && !request.project ? otherAgentsHere(place.env) : null;
  const hints = more === null ? [] : [note(more)];
  return {
    failed: false,
    steps: [...steps, ...told, ...last, ...hints],
    importable: found.importable,
  };
}

const note = (text: string): SetupStep => ({ state: "note", text });
const fault = (text: string): SetupStep => ({ state: "failed", text });

/** A plugin that was installed by the client's own means is the client's to take away. */
const pluginLeft = ({ env }: SetupPlace): readonly SetupStep[] =>
  isPluginOn(surveyFiles.text(settingsPathFor(env, null)))
    ? [note("the plugin is still on: `claude plugin uninstall continuity@continuity` removes it")]
    : [];

/** `closingNotes` says what a person would otherwise find out later. */
function closingNotes(
  { binary, env }: SetupPlace,
  { project }: InstallOptions,
): readonly SetupStep[] {
  const shared = note(
    "these files are in the repository: everyone who clones it needs continuity at the same path",
  );
  const found = Bun.which("continuity", { PATH: env["PATH"] ?? "" });
  // The folder of `npx` is in PATH for this one command.
  const isInPath = found !== null && !/[/\\]_npx[/\\]/.test(found);
  const path = note(
    `\`continuity\` is not in PATH; for this shell: export PATH="${dirname(binary ?? "")}:$PATH"`,
  );
  return [...(project ? [shared] : []), ...(isInPath ? [] : [path])];
}

/** With CONTINUITY_HOME alone everything works but this: the client's own files lie in the user's home. */
const homelessRefusal = (
  { env }: SetupPlace,
  { project }: { readonly project: boolean },
): SetupStep | null =>
  project || hasClientFolder(env)
    ? null
    : fault(
        "Claude Code's settings folder is unknown: set HOME or CLAUDE_CONFIG_DIR to an absolute path",
      );

/** Puts a program that npm installed where hooks call it; no step when it is there or lies elsewhere. */
function placeProgram(
  { program, binary, version }: SetupPlace,
  dryRun: boolean,
): readonly SetupStep[] {
  if (program === null || binary === null || program === binary) return [];
  const installed = settledVersion(binary);
  if (installed !== null && isOlderVersion(version, installed)) {
    // `npx` starts what its cache holds, which an older program may be.
    const text = `version ${installed} is installed and this is ${version}: run \`npx continuity@latest install\``;
    return [fault(text)];
  }
  const text = `${binary}: add the program that hooks run`;
  if (dryRun) return [{ state: "would", text }];
  try {
    return settleProgram(program, binary) ? [{ state: "done", text }] : [];
  } catch (error) {
    return [fault(notWritten(writeFaultIn(binary, error)))];
  }
}

/** Removes the program that `install` put into the home, whether it is the one that runs or was called by a package. */
function removeCopy({ binary, paths }: SetupPlace): readonly SetupStep[] {
  if (binary === null || !isCopy(binary, paths.root) || !existsSync(binary)) return [];
  try {
    unsettleProgram(binary);
    return [{ state: "done", text: `${binary}: remove the program` }];
  } catch {
    return [note(`${binary} is in use; delete it yourself`)]; // Windows removes no program that runs.
  }
}

/** Hooks are known by the program's name and run from any folder, so both must be right. */
function refusalFor({ program: binary }: SetupPlace): SetupStep | null {
  if (binary === null || !existsSync(binary))
    return fault("only the built program can be installed: run `npm run build` first");
  if (/^continuity(?:\.exe)?$/i.test(basename(binary))) return null;
  return fault(
    `the program must be named continuity, not ${basename(binary)}, so that its hooks are recognised: ` +
      "rename the file, then run the command again",
  );
}

function projectFolder(
  place: SetupPlace,
  { project }: { readonly project: boolean },
): string | null {
  return project ? (projectOf(place.cwd)?.root ?? place.cwd) : null;
}

/**
 * First as a dry run: when one of the files cannot be changed, none is. Where one fails all the same, those before it
 * are put back.
 */
function allOrNothing(
  { paths, binary }: SetupPlace,
  dryRun: boolean,
  {
    first,
    work,
  }: {
    /** Done once all files are known to be writable. */
    readonly first: () => readonly SetupStep[];
    readonly work: (dryRun: boolean) => readonly Changed[];
  },
): { readonly failed: boolean; readonly steps: readonly SetupStep[] } {
  const tried = work(true);
  const faults = (dryRun ? tried : tried.map(writable)).filter(({ ok }) => !ok);
  if (faults.length > 0) return told(faults);
  const hadProgram = binary !== null && existsSync(binary);
  const before = first();
  if (before.some(({ state }) => state === "failed")) return { failed: true, steps: before };
  if (dryRun) return told(tried, before);
  const files = tried.flatMap((one) => (one.ok ? [one.value.settingsPath] : []));
  const putBack = noteBefore(files, paths.backups);
  const done = work(false);
  const failed = done.filter(({ ok }) => !ok);
  const hasBackup = done.some((one) => one.ok && one.value.backup !== null);
  const kept = hasBackup ? [note(`the old files are kept in ${paths.backups}`)] : [];
  if (failed.length === 0) return told(done, before, kept);
  putBack();
  if (!hadProgram && before.length > 0 && binary !== null) unsettleProgram(binary);
  return told(failed);
}

function told(
  reports: readonly Changed[],
  before: readonly SetupStep[] = [],
  after: readonly SetupStep[] = [],
): { readonly failed: boolean; readonly steps: readonly SetupStep[] } {
  const all = reports.map(stepsOf);
  const steps = all.flatMap((one) => one.steps);
  // One folder may keep several files from being written.
  const isFirst = ({ state, text }: SetupStep, at: number): boolean =>
    state !== "failed" || steps.findIndex((one) => one.text === text) === at;
  return {
    failed: all.some(({ failed }) => failed),
    steps: [...before, ...steps.filter(isFirst), ...after],
  };
}

/** A plan that cannot be written is none. */
const writable = (planned: Changed): Changed =>
  planned.ok && planned.value.barrier !== null ? err(planned.value.barrier) : planned;

function putIn(place: SetupPlace, request: InstallOptions): readonly Changed[] {
  const { binary, paths } = place;
  if (binary === null) return [err({ type: "setup.binary-not-absolute", path: "" })];
  const folder = projectFolder(place, request);
  const marketplace = createPluginFolder(place).path;
  const common = { backups: paths.backups, dryRun: request.dryRun, binary, within: folder };
  const settingsPath = settingsPathFor(place.env, folder);
  const settings = install(systemClock, {
    ...common,
    settingsPath,
    statusLine: request.statusLine,
    marketplace: request.plugin ? marketplace : null,
  });
  const servers = { ...common, settingsPath: serversPathFor(place.env, folder) };
  // The plugin brings the server itself.
  const isPlugin = request.plugin || isPluginOn(surveyFiles.text(settingsPath));
  const listed = isPlugin ? uninstall(systemClock, servers) : installServer(systemClock, servers);
  return [settings, listed];
}

function takeOut(place: SetupPlace, request: SetupOptions): readonly Changed[] {
  const folder = projectFolder(place, request);
  return [settingsPathFor(place.env, folder), serversPathFor(place.env, folder)].map(
    (settingsPath) =>
      uninstall(systemClock, {
        settingsPath,
        backups: place.paths.backups,
        dryRun: request.dryRun,
        marketplace: createPluginFolder(place).path,
        within: folder,
      }),
  );
}

function takeOutOfAll(place: SetupPlace, request: SetupOptions): readonly Changed[] {
  const { agent, project, dryRun } = request;
  const isWanted = (name: string): boolean => agent === null || agent === "all" || agent === name;
  const others = project ? [] : installable.filter(isWanted);
  return [
    ...(isWanted("claude") ? takeOut(place, request) : []),
    ...others.flatMap((other) => takeOutOfAgent(place, other, dryRun)),
  ];
}

function writePlugin(place: SetupPlace, dryRun: boolean): SetupStep {
  const plugin = createPluginFolder(place);
  if (!dryRun) plugin.write(place.binary ?? "");
  return { state: dryRun ? "would" : "done", text: `write the plugin to ${plugin.path}` };
}

const surveyFiles: Omit<SurveyFiles, "countKnown"> = {
  text: readText,
  exists: existsSync,
  names: fileNamesIn,
};

/** `knownSessions` counts the sessions that are in the database already; none where it cannot be read. */
function knownSessions({ paths }: SetupPlace): (ids: readonly string[]) => number {
  return (ids) => {
    const opened = openStore(paths.database, {
      mode: "readonly",
      clock: systemClock,
      random: systemRandom,
    });
    if (!opened.ok) return 0;
    using store = opened.value;
    return ids.filter((id) => store.sessions.byId(id) !== null).length;
  };
}

/** Somebody else on our TCP port: claude-mem uses the same number. */
async function portNotes({ paths, port }: SetupPlace): Promise<readonly SetupStep[]> {
  const wanted = port();
  if (wanted === 0 || (await connectDaemon(paths)) !== null) return [];
  if (!(await isPortTaken(wanted))) return [];
  return [
    note(
      `port ${wanted} is in use by another program (claude-mem uses ${defaultPort}): one of the next nine ports ` +
        "is used " +
        "instead; hooks do not need it. To change it: `continuity config set server.port N`",
    ),
  ];
}
