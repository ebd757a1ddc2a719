/**
 * Where a new memory hangs in the tree.
 *
 * Pure: which URIs are taken is asked through a function. Must not know how two texts compare; whether an existing
 * place is merged into, superseded or left alone is merge's business.
 */
import { categoryRules } from "#domain";
import type { Category } from "#domain";
import { sha256 } from "#kit";
import { limits } from "../limits.ts";
import { segmentOf } from "./fold.ts";
import { slugOf, trimmedCut } from "./slug.ts";

export interface LeafPlace {
  readonly category: Category;
  /** Project key; null = everywhere. */
  readonly project: string | null;
  /** Name of the project for people; tells two projects' leaves of one slug apart. */
  readonly projectName: string | null;
  /** From `slugOf` or a model's hint; made canonical here. */
  readonly slug: string;
  /** `YYYY-MM-DD` of what happened; used by dated categories only. */
  readonly date?: string | null;
}

/** Which node holds a URI; null when none does. */
export type Taken = (uri: string) => { readonly project: string | null } | null;

/**
 * The URI of a memory. The same slug in the same project is the same place, so the result may be a URI that exists
 * and belongs to this project; in another project it is `<slug>-<project>`; any other collision gets `-2`, `-3`, ….
 */
export const leafUri = (place: LeafPlace, taken: Taken): string =>
  firstUri(place, (uri) => {
    const holder = taken(uri);
    return holder === null || holder.project === place.project;
  });

/** Like `leafUri`, but never a URI that exists: for a memory that must stand beside the one of the same name. */
export const freshLeafUri = (place: LeafPlace, taken: Taken): string =>
  firstUri(place, (uri) => taken(uri) === null);

function firstUri(place: LeafPlace, isFree: (uri: string) => boolean): string {
  const { root } = categoryRules[place.category];
  const slug = datedSlug(place);
  const base = `${root}/${slug}`;
  if (isFree(base)) return base;
  const suffix =
    place.projectName === null ? null : segmentOf(place.projectName.replaceAll(/[/\\]/g, "-"));
  const named = suffix === null ? base : `${base}-${trimmedCut(suffix, limits.slugCharsMax)}`;
  if (named !== base && isFree(named)) return named;
  for (let n = 2; n <= limits.uriCollisionsMax; n += 1) {
    const numbered = `${named}-${n}`;
    if (isFree(numbered)) return numbered;
  }
  // A hundred memories of one name in one project: the name has stopped helping, so identity takes over.
  return `${base}-${sha256(`${place.project ?? ""}\n${place.slug}`, 12)}`;
}

function datedSlug(place: LeafPlace): string {
  const flat = segmentOf(place.slug.replaceAll(/[/\\]/g, "-"));
  const slug = flat === null ? slugOf(place.slug) : trimmedCut(flat, limits.slugCharsMax);
  const isDated =
    categoryRules[place.category].dated && /^\d{4}-\d{2}-\d{2}$/.test(place.date ?? "");
  return !isDated || slug.startsWith(`${place.date}`) ? slug : `${place.date}-${slug}`;
}
