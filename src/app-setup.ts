/** Install and uninstall as the command line asks for them: which settings file, which binary, and a report in words. */
import { existsSync } from "node:fs";
import type { CliDeps } from "#cli";
import { install, settingsPathFor, setupFiles, stepsOf, uninstall } from "#setup";
import type { HomePaths } from "#domain";
import { systemClock } from "#kit";

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
        steps: [
          {
            state: "failed",
            text: "only the built program can be installed: run `npm run build` first",
          },
        ],
      };
    return stepsOf(
      install(deps, { ...optionsFor(place, { dryRun, project }), binary: place.binary }),
    );
  },
  uninstall: async ({ dryRun, project }) =>
    stepsOf(uninstall(deps, optionsFor(place, { dryRun, project }))),
});

const optionsFor = (
  place: SetupPlace,
  options: { readonly dryRun: boolean; readonly project: boolean },
): Parameters<typeof uninstall>[1] => ({
  settingsPath: settingsPathFor(place.env, options.project ? place.cwd : null),
  backups: place.paths.backups,
  dryRun: options.dryRun,
});
