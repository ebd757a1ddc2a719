/** Tells whether anything records: `status` loads this, and none of what installs. */
import { hasHooks, hooksPath, managedSettingsPath, settingsPathFor } from "#clients";
import { editors, otherAgents } from "#domain";
import { projectOf } from "#hooks";
import { readText } from "#kit";
import type { Place } from "./context.ts";

/** Looks for hooks of ours: in settings of the user, of this project and of an administrator, and in other agents'. */
export function isInstalled({ cwd, env }: Place): boolean {
  const settings = [
    settingsPathFor(env, null),
    settingsPathFor(env, projectOf(cwd)?.root ?? cwd),
    managedSettingsPath(process.platform),
  ];
  return (
    settings.some((path) => hasHooks(readText(path))) ||
    [...otherAgents, ...editors].some((agent) =>
      /continuity/i.test(readText(hooksPath(agent, env)) ?? ""),
    )
  );
}
