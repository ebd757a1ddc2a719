/** Which projects a question is about. */
import { foldedKey, heirOf, labelled, type Store, type StoreDep } from "#domain";
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
  const home = ask.home === null ? null : heirOf(store.projects.rules(), ask.home);
  if (ask.projects === null) return ok(isKnown(store, home) ? [home] : null);
  const keys: string[] = [];
  for (const project of ask.projects) {
    const fitting = keysOf(store, project);
    if (fitting.length === 0) return err({ type: "project.unknown", project });
    keys.push(...fitting);
  }
  return ok(keys);
}

/** The one project that a key or name means. */
export function projectKeyOf({ store }: StoreDep, project: string): Result<string, ServiceError> {
  const [key, ...others] = keysOf(store, project);
  if (key === undefined) return err({ type: "project.unknown", project });
  return others.length === 0 ? ok(key) : err({ type: "project.ambiguous", project });
}

/** Keys of the projects that a key, a name or a label fits. A key may belong to a project without any session yet. */
function keysOf(store: Store, project: string): readonly string[] {
  const known = store.admin.projects();
  const spelt = [project, foldedKey(project)].find((one) => known.some(({ key }) => key === one));
  if (spelt !== undefined) return [spelt];
  const fitting = labelled(known, project);
  if (fitting.length > 0) return fitting;
  if (/[:/]/.test(project)) return [foldedKey(project)];
  const name = project.toLowerCase();
  return known.filter((one) => one.name.toLowerCase() === name).map(({ key }) => key);
}

/** Has this project a session or a memory of its own? */
function isKnown(store: Store, home: string | null): home is string {
  if (home === null) return false;
  if (store.admin.projects().some(({ key }) => key === home)) return true;
  // A filter by project lets global memories through; without any project they are all there is.
  return store.nodes.count({ projects: [home] }) > store.nodes.count({ projects: [] });
}
