/**
 * Which other projects a prompt names, and what a line from one of them is called. Strict on purpose: a word that anybody
 * may say is no name, and two projects of one name are told apart by their owners. Pure.
 */
import { isTool } from "../language/index.ts";
import type { PromptInput } from "./prompt-types.ts";

type Known = Pick<PromptInput, "projects" | "homeProject">;
type Project = PromptInput["projects"][number];

const nameCharsMin = 3;

/** Parts of names that say nothing about which project is meant. */
const generic = new Set(
  (
    "admin api app apps back backend base client cloud code common config core dashboard data demo dev dist docs e2e end " +
    "engine example examples front frontend full gateway home i18n infra js k8s lib library local main mobile my new node " +
    "notes packages platform plugin portal prod production project repo sandbox script scripts sdk server service services " +
    "shared site src stack staging storage store test tests the tool tooling tools ts ui util utils web website work worker"
  ).split(" "),
);

/** Other projects that the text names. */
export function namedProjects(known: Known, text: string): readonly string[] {
  const lower = text.toLowerCase();
  return known.projects
    .filter((project) => {
      if (project.key === known.homeProject) return false;
      const name = nameOf(project);
      // Cheap, and false for nearly every project.
      if (name.length < nameCharsMin || !lower.includes(name)) return false;
      const path = ownedName(project);
      if (path !== null && stands(path, text, "iu")) return true;
      return isNamed(name, text) && countsOf(known).get(name) === 1;
    })
    .map(({ key }) => key);
}

/** What a line from another project is labelled with; with its owner where the name alone does not tell. */
export function projectLabel(known: Known, key: string): string {
  const project = known.projects.find((one) => one.key === key);
  if (project === undefined) return "another project";
  const isAlone = countsOf(known).get(nameOf(project)) === 1;
  return `project ${isAlone ? project.name : (ownedName(project) ?? project.name)}`;
}

/** How many projects have each name; the home project is one of them. */
function countsOf({ projects }: Known): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const project of projects)
    counts.set(nameOf(project), (counts.get(nameOf(project)) ?? 0) + 1);
  return counts;
}

const nameOf = ({ name }: Project): string => name.toLowerCase();

/** `owner/name` of a project with a remote. */
const ownedName = ({ key }: Project): string | null => /[^/:]+\/[^/]+$/u.exec(key)?.[0] ?? null;

/** The name of a project that has it alone: by itself when it is made up, else only with a sign that a name is meant. */
const isNamed = (name: string, text: string): boolean =>
  (isMadeUp(name) && stands(name, text, "iu")) ||
  isCalledProject(name, text) ||
  (!isOrdinary(name) && stands(properOf(name), text, "u", "(?<=[\\p{Ll}\\p{N},;:)] )"));

/** Several parts, of which one says something: `billing-api`, `web2`; not `my-app`, not a plain word. */
const isMadeUp = (name: string): boolean =>
  /[\p{L}][-_.@\p{N}]+[\p{L}\p{N}]|\p{L}\p{N}/u.test(name) && !isOrdinary(name);

const isOrdinary = (name: string): boolean =>
  isTool(name) || name.split(/[-_.@]+/u).every((part) => part.length < 3 || generic.has(part));

const letter = "[\\p{L}\\p{N}_-]";
const quote = "[\"'`“”„«»]";
const called = "(?:called|named|namens|nommé|llamado|chamado)";
const projectWord =
  "(?:project|repo|repository|codebase|projekt|repositorium|projet|dépôt|proyecto|repositorio|projeto|progetto|проект\\p{L}*|репозитори\\p{L}*)";

/** "the api repo", "project `api`", "project called api", "project Atlas", "api 项目". */
function isCalledProject(name: string, text: string): boolean {
  const plain = escaped(name);
  const forms = [
    `(?<!${letter})(?:the|our|my|in|from|of|for|at)\\s+${quote}?${plain}${quote}?\\s+${projectWord}(?!${letter})`,
    `(?<!${letter})${projectWord}(?:\\s*:\\s*|\\s+${quote}|\\s+${called}\\s+${quote}?)${plain}(?!${letter})`,
    `${plain}${quote}?\\s?(?:项目|專案|仓库|プロジェクト|リポジトリ|프로젝트|저장소)`,
  ];
  return (
    forms.some((form) => new RegExp(form, "iu").test(text)) ||
    stands(properOf(name), text, "u", `(?<=${projectWord}\\s)`)
  );
}

/** As a proper name is written: with one capital letter, at its beginning. */
const properOf = (name: string): string => name.replace(/^\p{L}/u, (first) => first.toUpperCase());

/** Stands as a word of its own; a path or an address around it makes it another one. */
const stands = (name: string, text: string, flags: string, behind = ""): boolean =>
  new RegExp(`${behind}(?<!${letter})${escaped(name)}(?!${letter})`, flags).test(text);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/gu, "\\$&");
