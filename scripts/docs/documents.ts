/** Lists the documents. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Documents whose `console` fences are run, as paths below `root`. */
export const documentsWithExamples = (root: string): readonly string[] =>
  ["README.md", ...markdownIn(root, "docs/guide")].filter((path) => existsSync(join(root, path)));

/** Every document, as paths below `root`. */
export const allDocuments = (root: string): readonly string[] => [
  ...markdownIn(root, "."),
  ...["docs", "docs/adr", "docs/agents", "docs/guide", "docs/reference", "models"].flatMap(
    (folder) => markdownIn(root, folder),
  ),
];

const markdownIn = (root: string, folder: string): readonly string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .toSorted()
    .map((name) => (folder === "." ? name : `${folder}/${name}`));
