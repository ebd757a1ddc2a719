/** Words in the names of projects that tell nothing about which project is meant. */
import { listsOf } from "./lists.ts";
import text from "./lists/project-names.txt" with { type: "text" };

const lists = listsOf(text, "generic", "languages");

/** Parts of names that say nothing. */
const generic = new Set(lists.generic);

/** Languages and formats are written with a capital where no project is meant. */
const languages = new Set(lists.languages);

/** Said of many projects, or of none: `api-server`, `Python`. */
export const isOrdinaryName = (name: string): boolean =>
  languages.has(name) ||
  name.split(/[-_.@]+/u).every((part) => part.length < 3 || generic.has(part));
