/** Which projects a question is about. */
import type { StoreDep } from "#domain";
import { err, ok, type Result } from "#kit";
import type { ServiceError } from "./errors.ts";

export interface ScopeAsk {
  /** Project keys or names that the asker named; null = none named. */
  readonly projects: readonly string[] | null;
  /** Key of the project the asker stands in; null = outside projects. */
  readonly home: string | null;
}

/**
 * The project keys to look in (global memories always belong); null = all. Named projects win; else the home
 * project, as long as something is known of it: from an unknown folder one sees everything, not nothing.
 * Fails with `project.unknown` for a name that fits no project.
 */
export function scopeOf(
  { store }: StoreDep,
  ask: ScopeAsk,
): Result<readonly string[] | null, ServiceError> {
  const known = store.admin.projects();
  if (ask.projects === null) {
    const isKnown =
      ask.home !== null &&
      (known.some(({ key }) => key === ask.home) ||
        store.nodes.list({ projects: [ask.home] }, "uri", { limit: 1, offset: 0 })[0]?.project ===
          ask.home);
    return ok(isKnown && ask.home !== null ? [ask.home] : null);
  }
  const keys: string[] = [];
  for (const project of ask.projects) {
    const named = known.filter(
      ({ key, name }) => key === project || name.toLowerCase() === project.toLowerCase(),
    );
    // A key may belong to a project that has memories but no session yet.
    if (named.length === 0 && !/[:/]/.test(project))
      return err({ type: "project.unknown", project });
    keys.push(...(named.length === 0 ? [project] : named.map(({ key }) => key)));
  }
  return ok(keys);
}
