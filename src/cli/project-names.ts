/** Names of projects, in the place of their keys, as a person knows them. */
import { projectLabels, type NamedProject } from "#domain";
import type { Context } from "./context.ts";

/** A key's name. */
export type NameOf = (key: string) => string;

/** Names of the projects with these keys; asks for them unless they are all this folder's, or null. */
export async function projectNames(
  context: Context,
  keys: readonly (string | null)[],
): Promise<NameOf> {
  const here = context.deps.project()?.key ?? null;
  if (keys.every((key) => key === null || key === here)) return namesAmong(context, new Map());
  const api = await context.api("read");
  const { items } = await (await api.projects.$get()).json();
  return namesAmong(context, labelsOf(items));
}

const labelsOf = (all: readonly NamedProject[]): ReadonlyMap<string, string> => {
  const labels = projectLabels(all);
  return new Map(all.map(({ key, name }) => [key, labels.get(key) ?? name]));
};

/** Names a project of which only the key is known by the key's end, and this folder's by the folder. */
export function namesAmong({ deps }: Context, names: ReadonlyMap<string, string>): NameOf {
  const here = deps.project();
  return (key) => {
    const name = names.get(key);
    // A label that tells a project from another of its name stays.
    if (key === here?.key && !/[/:]/.test(name ?? "")) return here.name;
    return name ?? endOf(key);
  };
}

const endOf = (key: string): string => {
  const end = key.split(/[/:]/).at(-1) ?? key;
  return key.includes(":") ? `project-${end.slice(0, 8)}` : end;
};
