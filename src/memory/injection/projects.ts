/**
 * Finds the other projects that a prompt names, and labels their lines. Strict on purpose: a word
 * that anybody may say is no name, and two projects of one name are told apart by their owners.
 * Pure.
 */
import { isOrdinaryName, isTool } from "#language";
import type { PromptInput } from "./prompt-types.ts";

type Known = Pick<PromptInput, "projects" | "homeProject">;
type Project = PromptInput["projects"][number];

const nameCharsMin = 3;

/** Tells whether a project's name is a word that is hardly ever said here but of the project. */
export type IsRare = (project: Project) => boolean;

/** Other projects that the text names. */
export function namedProjects(known: Known, text: string, isRare: IsRare): readonly string[] {
  const lower = text.toLowerCase();
  return known.projects
    .filter((project) => {
      if (project.key === known.homeProject) return false;
      const name = nameOf(project);
      // Cheap, and false for nearly every project.
      if (name.length < nameCharsMin || !lower.includes(name)) return false;
      const path = ownedName(project);
      if (path !== null && stands(path, text, "iu")) return true;
      const isSaid =
        isNamed(name, text) || (!isOrdinary(name) && isPlaced(name, text) && isRare(project));
      return isSaid && countsOf(known).get(name) === 1;
    })
    .map(({ key }) => key);
}

/** `projectLabel` labels a line from another project; with its owner where the name alone does not tell. */
export function projectLabel(known: Known, key: string): string {
  const project = known.projects.find((one) => one.key === key);
  if (project === undefined) return "another project";
  const isAlone = countsOf(known).get(nameOf(project)) === 1;
  return `project ${isAlone ? project.name : (ownedName(project) ?? project.name)}`;
}

/** `countsOf` counts the projects of each name; the home project is one of them. */
function countsOf({ projects }: Known): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const project of projects)
    counts.set(nameOf(project), (counts.get(nameOf(project)) ?? 0) + 1);
  return counts;
}

const nameOf = ({ name }: Project): string => name.toLowerCase();

/** `owner/name` of a project with a remote. */
const ownedName = ({ key }: Project): string | null => /[^/:]+\/[^/]+$/u.exec(key)?.[0] ?? null;

/**
 * The name of a project that has it alone: by itself when it is made up, else only with a sign that a name is meant.
 */
const isNamed = (name: string, text: string): boolean =>
  (isMadeUp(name) && stands(name, text, "iu")) ||
  isNameSaidProject(name, text) ||
  (!isOrdinary(name) && stands(properOf(name), text, "u", properPlace));

/** Several parts, of which one says something: `billing-api`, `web2`; not `my-app`, not a plain word. */
const isMadeUp = (name: string): boolean =>
  /[\p{L}][-_.@\p{N}]+[\p{L}\p{N}]|\p{L}\p{N}/u.test(name) && !isOrdinary(name);

const isOrdinary = (name: string): boolean => isTool(name) || isOrdinaryName(name);

/**
 * "…in halvorsen?", "take it from halvorsen and …", "halvorsen's retries", "does halvorsen retry": where a name stands
 * without an article. A word that goes on into another ("in halvorsen mode"), or has an article before it, is a thing.
 */
function isPlaced(name: string, text: string): boolean {
  const plain = escaped(name);
  return (
    new RegExp(`(?<!${letter})${place}\\s+${plain}(?!${letter})(?=${phraseEnd})`, "iu").test(
      text,
    ) ||
    new RegExp(`(?<!${letter})(?:does|did)\\s+${plain}(?!${letter})`, "iu").test(text) ||
    new RegExp(`(?<!${article}\\s+)(?<!${letter})${plain}['’]s(?!${letter})`, "iu").test(text)
  );
}

const place = "(?:in|inside|into|from|of|for|to|at|by|like|with|against|via)";
const article =
  "\\b(?:a|an|the|this|that|these|those|our|my|your|their|its|each|every|any|some|no)";
const phraseEnd =
  "\\s*(?:$|[?!.,;:)\\n])|\\s+(?:and|or|but|now|then|too|also|again|already|yet|is|are|was|were|does|do|did|has|have|had|uses?|used|which|that|when|where|because|so|if|as|to|into|for|from|on|in|with|by|at|we|i|you|they|it|he|she|the|here|today|lately|before|after|last|earlier|back)\\b";

/** Scripts without spaces begin a new word behind a Latin one: "haarの". */
const unspaced = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]";
const letter = `(?:(?!${unspaced})[\\p{L}\\p{N}_-])`;
const quote = "[\"'`“”„«»]";
const called = "(?:called|named|namens|nommé|llamado|chamado)";
const projectWord =
  "(?:project|repo|repository|codebase|projekt|repositorium|projet|dépôt|proyecto|repositorio|projeto|progetto|проект\\p{L}*|репозитори\\p{L}*)";

/** "the api repo", "project `api`", "project called api", "project Atlas", "api 项目". */
function isNameSaidProject(name: string, text: string): boolean {
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

/** In the middle of a sentence, and no second half of another name ("Hebden Bridge", "Key Vault"). */
const properPlace = "(?<=[\\p{Ll}\\p{N},;:)] )(?<!\\p{Lu}[\\p{L}\\p{N}]* )";

/** Stands as a word of its own; a path or an address around it makes it another one. */
const stands = (name: string, text: string, flags: string, behind = ""): boolean =>
  new RegExp(`${behind}(?<!${letter})${escaped(name)}(?!${letter}|\\.\\p{L})`, flags).test(text);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/gu, "\\$&");
