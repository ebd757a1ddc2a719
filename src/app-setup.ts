/** Install and uninstall as the command line asks for them: which settings file, which binary, and a report in words. */
import { existsSync } from "node:fs";
import type { CliDeps, SetupReport as CliReport } from "#cli";
import { explainSetupError, install, settingsPathFor, setupFiles, uninstall } from "#setup";
import type { SetupError, SetupReport } from "#setup";
import type { HomePaths } from "#domain";
import { systemClock, type Result } from "#kit";

export interface SetupPlace {
  readonly paths: HomePaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Absolute path of the program; null when it runs from source. */
  readonly binary: string | null;
}

const deps = { files: setupFiles, clock: systemClock };

export const createSetup = (place: SetupPlace): CliDeps["setup"] => ({
  install: async ({ dryRun, project }) => {
    if (place.binary === null || !existsSync(place.binary))
      return {
        failed: true,
        steps: [{ state: "failed", text: "only the built program can be installed: run `npm run build` first" }],
      };
    return reportOf(
      install(deps, { ...optionsFor(place, { dryRun, project }), binary: place.binary }),
      "hooks in",
    );
  },
  uninstall: async ({ dryRun, project }) =>
    reportOf(uninstall(deps, optionsFor(place, { dryRun, project })), "hooks out of"),
});

const optionsFor = (
  place: SetupPlace,
  options: { readonly dryRun: boolean; readonly project: boolean },
): Parameters<typeof uninstall>[1] => ({
  settingsPath: settingsPathFor(place.env, options.project ? place.cwd : null),
  backups: place.paths.backups,
  dryRun: options.dryRun,
});

function reportOf(result: Result<SetupReport, SetupError>, what: string): CliReport {
  if (!result.ok)
    return { failed: true, steps: [{ state: "failed", text: explainSetupError(result.error) }] };
  const { outcome, changes, backup, diff, warnings, settingsPath } = result.value;
  const state = { changed: "done", unchanged: "unchanged", "would-change": "would" } as const;
  return {
    failed: false,
    steps: [
      { state: state[outcome], text: `${what} ${settingsPath}` },
      ...changes.map((text) => ({ state: state[outcome], text })),
      ...(diff === "" ? [] : [{ state: "note" as const, text: diff }]),
      ...(backup === null ? [] : [{ state: "note" as const, text: `the file as it was: ${backup}` }]),
      ...warnings.map((text) => ({ state: "note" as const, text })),
    ],
  };
}
