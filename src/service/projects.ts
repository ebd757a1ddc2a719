/** Projects as people see them: what there is of each, and making one of two, or two of one. */
import type { PlaceJson, ProjectJson, ProjectsJson } from "#api";
import { folderKey, heirOf, projectNameOf } from "#domain";
import { err, ok, type Result } from "#kit";
import type { ServiceError } from "./errors.ts";
import { projectKeyOf } from "./scope.ts";
import type { Context } from "./context.ts";

export interface ProjectsApi {
  /** What was touched last comes first. */
  readonly projects: () => ProjectsJson;
  readonly project: (given: string) => Result<ProjectJson, ServiceError>;
  /** Sessions to come are called so too. */
  readonly renameProject: (given: string, name: string) => Result<ProjectJson, ServiceError>;
  /** Everything of the first becomes the second's, which may be new where its name is given. */
  readonly mergeProjects: (ask: {
    readonly project: string;
    readonly into: string;
    readonly into_name?: string | undefined;
  }) => Result<ProjectJson, ServiceError>;
  /** Takes the last merge apart. Answers the project that is back. */
  readonly unmergeProjects: () => Result<ProjectJson, ServiceError>;
  /** What was learnt in sessions of a folder becomes a project of its own. Answers that. */
  readonly splitProject: (ask: {
    readonly project: string;
    readonly folder: string;
    readonly name: string;
  }) => Result<ProjectJson, ServiceError>;
}

export const createProjectsApi = (context: Context): ProjectsApi => ({
  projects: () => ({ items: factsOf(context) }),
  project: (given) => {
    const key = projectKeyOf(context, given);
    return key.ok ? pageOf(context, key.value) : key;
  },
  renameProject: (given, name) =>
    changing(context, given, (key) => {
      context.store.projects.rename(key, projectNameOf(name, key));
      return pageOf(context, key);
    }),
  mergeProjects: ({ project, into, into_name: name }) =>
    changing(context, project, (key) => {
      const heir =
        name === undefined
          ? known(context, into)
          : ok(heirOf(context.store.projects.rules(), into));
      if (!heir.ok) return heir;
      if (heir.value === key) return err({ type: "project.same", project });
      const named = { key: heir.value, name: projectNameOf(name ?? "", heir.value) };
      // Named by a folder or a name, its folder may be gone: another project may lie there later.
      context.store.projects.merge(key, named, context.clock.nowMs(), project === key);
      return pageOf(context, heir.value);
    }),
  unmergeProjects: () => {
    if (!context.writable) return err({ type: "service.read-only" });
    const back = context.store.transaction(() => context.store.projects.unmerge());
    return back === null ? err({ type: "project.no-merge" }) : pageOf(context, back.from);
  },
  splitProject: ({ project, folder, name }) =>
    changing(context, project, (key) => {
      const isThere = context.store.projects.folders(key).some((one) => one.folder === folder);
      if (!isThere) return err({ type: "project.no-folder", folder });
      const made = context.store.projects.split(key, folder, projectNameOf(name, folder));
      return pageOf(context, made);
    }),
});

function changing(
  context: Context,
  given: string,
  change: (key: string) => Result<ProjectJson, ServiceError>,
): Result<ProjectJson, ServiceError> {
  if (!context.writable) return err({ type: "service.read-only" });
  const key = known(context, given);
  return key.ok ? context.store.transaction(() => change(key.value)) : key;
}

/** The key of the project that lay in a folder; what is no folder stays as it is. */
function ofFolder({ store }: Context, given: string): string {
  if (!/^(?:[/\\]|[a-z]:[/\\])/i.test(given)) return given;
  return heirOf(store.projects.rules(), store.places.in(given) ?? folderKey(given));
}

/** A key may be spelt that nobody has seen; here it must be one that there is. */
function known(context: Context, given: string): Result<string, ServiceError> {
  const key = projectKeyOf(context, ofFolder(context, given));
  if (!key.ok) return key;
  const isKnown = context.store.admin.projectNames().some((one) => one.key === key.value);
  return isKnown ? key : err({ type: "project.unknown", project: given });
}

const factsOf = ({ store }: Context): ProjectsJson["items"] =>
  store.projects
    .facts()
    .map(({ key, name, memories, sessions, lastMs }) => ({
      key,
      name,
      memories,
      sessions,
      last_at: lastMs === 0 ? null : lastMs,
    }))
    .toSorted((a, b) => (b.last_at ?? 0) - (a.last_at ?? 0));

function pageOf(context: Context, key: string): Result<ProjectJson, ServiceError> {
  const facts = factsOf(context).find((one) => one.key === key);
  if (facts === undefined) return err({ type: "project.unknown", project: key });
  return ok({ ...facts, folders: context.store.projects.folders(key) });
}

// Which folders are believed to be the project that they say (docs/adr/0039).

export interface PlacesApi {
  /** From now on sessions in this folder are given what is known of the project. */
  readonly trustPlace: (place: Omit<PlaceJson, "trusted">) => Result<PlaceJson, ServiceError>;
}

export const createPlacesApi = ({ store, clock, writable }: Context): PlacesApi => ({
  trustPlace: ({ project, root }) => {
    if (!writable) return err({ type: "service.read-only" });
    store.transaction(() => store.places.put(project, { root, isTrusted: true }, clock.nowMs()));
    return ok({ project, root, trusted: true });
  },
});
