/** Projects as people see them, and those that a question is about. */
import {
  foldedKey,
  folderKey,
  heirOf,
  labelled,
  type Page,
  projectNameOf,
  type Session,
  type Store,
} from "#domain";
import { err, ok, type Result } from "#kit";
import type { PlaceJson, ProjectJson, ProjectsJson } from "../forms-work.ts";
import type { ServiceError } from "./errors.ts";
import type { Body, Context } from "./context.ts";
import type { Frozen } from "../form.ts";
import type { Filters } from "../requests.ts";

interface ScopeAsk {
  /** Project keys or names that the asker named. */
  readonly project?: readonly string[] | undefined;
  /** Key of the project the asker stands in; absent = outside projects. */
  readonly home?: string | undefined;
}

/**
 * The project keys to look in (global memories always belong); null = all. Named projects win; else the home
 * project, as long as something is known of it: from an unknown folder one sees everything, not nothing.
 * Fails with `project.unknown` for a name that fits no project.
 */
export function scopeOf(
  { store }: Context,
  ask: ScopeAsk,
): Result<readonly string[] | null, ServiceError> {
  const home = ask.home === undefined ? null : heirOf(store.projects.rules().merged, ask.home);
  if (ask.project === undefined) return ok(isKnown(store, home) ? [home] : null);
  const keys: string[] = [];
  for (const one of ask.project) {
    const fitting = keysOf(store, one);
    if (fitting.length === 0) return err({ type: "project.unknown", project: one });
    keys.push(...fitting);
  }
  return ok(keys);
}

/** The key of the project that a name means; null, which stands for everywhere, stays null. */
export function projectKeyOf<Name extends string | null>(
  { store }: Context,
  project: Name,
): Result<string | Extract<Name, null>, ServiceError> {
  // The type of a name that may be null says no more than that null stays null.
  if (project === null) return ok(project as Extract<Name, null>);
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

type Defined<Fields> = { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** The same record without the fields that are undefined. */
export const defined = <Fields extends object>(fields: Fields): Defined<Fields> =>
  // The filter is what makes the narrower type true; Object.fromEntries cannot say so.
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<Fields>;

/** Query parameters that several routes share, as filters of the domain: a concept, and a moment's type, is a tag. */
export function filtersOf(
  asked: Frozen<Filters> & {
    readonly concept?: string | undefined;
    readonly type?: string | undefined;
  },
) {
  const tags = [asked.tag, asked.concept, asked.type].filter((one) => one !== undefined);
  return defined({
    categories: asked.category,
    tags: tags.length === 0 ? undefined : tags,
    file: asked.file,
    session: asked.session,
    maker: asked.maker,
    origin: asked.origin,
    statuses: asked.status,
    sinceMs: asked.since,
    untilMs: asked.until,
  });
}

// Cursors: opaque to callers; an offset inside, or where the last entry lies.

export interface PageAsk {
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before; absent or null = the first page. */
  readonly cursor?: string | null | undefined;
  /** Rows to leave out, for lists that jump; counts only without a cursor. */
  readonly offset?: number | undefined;
}

/** Items on a page where the asker names no limit. */
export const pageLimit = 100;

/** Reads a cursor; fails on one that we never gave out. */
export function pageOf({
  limit = pageLimit,
  cursor,
  offset = 0,
}: PageAsk): Result<Required<Page>, ServiceError> {
  if (cursor == null) return ok({ limit, offset });
  const digits = /^o(\d{1,9})$/.exec(cursor)?.[1];
  return digits === undefined
    ? err({ type: "cursor.invalid" })
    : ok({ limit, offset: Number(digits) });
}

export const cursorAfter = (page: Required<Page>, total: number): string | null =>
  page.offset + page.limit < total ? `o${page.offset + page.limit}` : null;

/** A cursor of whole numbers; `kind` tells one list's cursors from another's. */
export const cursorOf = (kind: string, numbers: readonly number[]): string =>
  `${kind}${numbers.join(".")}`;

/** The numbers of such a cursor; null when it is none of `count` numbers. */
export function numbersIn(kind: string, cursor: string, count: number): readonly number[] | null {
  if (!cursor.startsWith(kind)) return null;
  const parts = cursor.slice(kind.length).split(".");
  if (parts.length !== count || !parts.every((part) => /^-?\d{1,16}$/.test(part))) return null;
  return parts.map(Number);
}

// The one session that is meant: by its whole id, or by a beginning that no other has.

/** Shorter beginnings are slips rather than names. */
const prefixCharsMin = 4;
/** Named in an error at most. */
const candidatesMax = 3;

export function sessionAt({ store }: Context, given: string): Result<Session, ServiceError> {
  const exact = store.sessions.byId(given);
  if (exact !== null) return ok(exact);
  const fitting =
    given.length < prefixCharsMin ? [] : store.sessions.byIdStart(given, candidatesMax + 1);
  const [only, ...others] = fitting;
  if (only === undefined) return err({ type: "session.not-found", sessionId: given });
  if (others.length === 0) return ok(only);
  const candidates = fitting.slice(0, candidatesMax).map(({ sessionId }) => sessionId);
  return err({ type: "session.ambiguous", sessionId: given, candidates });
}

// Projects as people see them: what there is of each, and making one of two.

/** The latest touched first. */
export const projects = (context: Context): ProjectsJson => ({ items: factsOf(context) });

export function project(context: Context, given: string): Result<ProjectJson, ServiceError> {
  const key = projectKeyOf(context, given);
  return key.ok ? projectPage(context, key.value) : key;
}

/** Sessions to come are called so too. */
export const renameProject = (
  context: Context,
  given: string,
  name: string,
): Result<ProjectJson, ServiceError> =>
  changing(context, given, (key) => {
    context.store.projects.rename(key, projectNameOf(name, key));
    return projectPage(context, key);
  });

/** Everything of the first becomes the second's, which may be new where its name is given. */
export const mergeProjects = (
  context: Context,
  { project: given, into, into_name: name }: Body<"POST /api/projects/merge">,
): Result<ProjectJson, ServiceError> =>
  changing(context, given, (key) => {
    const heir =
      name === undefined
        ? known(context, into)
        : ok(heirOf(context.store.projects.rules().merged, into));
    if (!heir.ok) return heir;
    if (heir.value === key) return err({ type: "project.same", project: given });
    const named = { key: heir.value, name: projectNameOf(name ?? "", heir.value) };
    // Named by a folder or a name, its folder may be gone: another project may lie there later.
    context.store.projects.merge(key, named, context.clock.nowMs(), given === key);
    return projectPage(context, heir.value);
  });

/** Takes the last merge apart. Answers the project that is back. */
export function unmergeProjects(context: Context): Result<ProjectJson, ServiceError> {
  const back = context.store.transaction(() => context.store.projects.unmerge());
  return back === null ? err({ type: "project.no-merge" }) : projectPage(context, back.from);
}

function changing(
  context: Context,
  given: string,
  change: (key: string) => Result<ProjectJson, ServiceError>,
): Result<ProjectJson, ServiceError> {
  const key = known(context, given);
  return key.ok ? context.store.transaction(() => change(key.value)) : key;
}

/** The key of the project that lay in a folder; what is no folder stays as it is. */
function ofFolder({ store }: Context, given: string): string {
  if (!/^(?:[/\\]|[a-z]:[/\\])/i.test(given)) return given;
  return heirOf(store.projects.rules().merged, store.places.in(given) ?? folderKey(given));
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

function projectPage(context: Context, key: string): Result<ProjectJson, ServiceError> {
  const facts = factsOf(context).find((one) => one.key === key);
  if (facts === undefined) return err({ type: "project.unknown", project: key });
  return ok({ ...facts, folders: context.store.projects.folders(key) });
}

// Decides which folders are believed to be the project that they say (docs/adr/0039).

/** From now on sessions in this folder are given what is known of the project. */
export function trustPlace(
  { store, clock }: Context,
  { project: key, root }: Omit<PlaceJson, "trusted">,
): Result<PlaceJson, ServiceError> {
  store.transaction(() => store.places.put(key, { root, isTrusted: true }, clock.nowMs()));
  return ok({ project: key, root, trusted: true });
}
