/**
 * The same texts in eight languages, from the translations of permissively licensed programs (sources.sh fetches them):
 * one line a text, a column a language, empty where there is none. Usage: bun parallel.ts SOURCES > parallel.tsv
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

export const languages = ["en", "de", "fr", "es", "pt", "ru", "zh", "ja"] as const;
export type Language = (typeof languages)[number];
type Texts = Partial<Record<Language, string>>;

const others = languages.filter((language) => language !== "en");
const charactersMax = 400;

/** Collects texts that belong together by their key. */
function gather(): {
  add: (key: string, language: Language, text: string) => void;
  all: () => Texts[];
} {
  const byKey = new Map<string, Texts>();
  return {
    add: (key, language, text) => {
      const entry = byKey.get(key) ?? {};
      byKey.set(key, entry);
      entry[language] ??= text;
    },
    all: () => [...byKey.values()],
  };
}

/** A language's own name in a program, where it is not the usual one. */
const named = (other: Partial<Record<Language, string>>): Readonly<Record<Language, string>> => ({
  ...(Object.fromEntries(languages.map((each) => [each, each])) as Record<Language, string>),
  ...other,
});

/** Calls `add` with each text of nested JSON, and the path to it. */
function walk(key: string, value: unknown, add: (key: string, text: string) => void): void {
  if (typeof value === "string") add(key, value);
  else if (value !== null && typeof value === "object")
    for (const [name, inner] of Object.entries(value)) walk(`${key}/${name}`, inner, add);
}

const files = (folder: string, ends: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ends))
    .toSorted()
    .map((name) => join(folder, name));
const folderOf = (folder: string, starts: string): string => {
  const name = readdirSync(folder).find((each) => each.startsWith(starts));
  if (name === undefined) throw new Error(`no ${starts}* in ${folder}`);
  return join(folder, name, "package");
};

function typescript(npm: string): Texts[] {
  const { add, all } = gather();
  const lib = join(folderOf(npm, "typescript-"), "lib");
  const english = readFileSync(join(lib, "_tsc.js"), "utf8");
  for (const [, key = "", text = ""] of english.matchAll(
    /diag\(\d+, \d \/\*.*?\*\/, "(\w+)", ("(?:[^"\\]|\\.)*")/g,
  ))
    add(key, "en", JSON.parse(text));
  const names = named({ pt: "pt-br", zh: "zh-cn" });
  for (const language of others) {
    const path = join(lib, names[language], "diagnosticMessages.generated.json");
    const messages: Record<string, string> = JSON.parse(readFileSync(path, "utf8"));
    for (const [key, text] of Object.entries(messages)) add(key, language, text);
  }
  return all();
}

/** The language packs of Visual Studio Code; English is the pseudo-language with its strange letters put back. */
async function editor(npm: string): Promise<Texts[]> {
  const { add, all } = gather();
  const strange = "ëøñïæðçµþÿÇ§ÆËÏÐØÑ£ÜßÝ";
  const plain = "eoniadcubyCSAEIDONLUBY";
  const english = (text: string): string =>
    text.replace(/[^\0-\x7f]/g, (letter) => plain[strange.indexOf(letter)] ?? letter);
  const names = named({ en: "qps-ploc", pt: "pt-br", zh: "zh-hans" });
  for (const language of languages) {
    const root = join(
      folderOf(npm, `codingame-monaco-vscode-language-pack-${names[language]}`),
      "translations",
    );
    for (const path of files(root, ".js")) {
      const { default: content }: { default: unknown } = await import(path);
      walk(path.slice(root.length), content, (key, text) =>
        add(key, language, language === "en" ? english(text) : text),
      );
    }
  }
  return all();
}

/** Chromium's resource packs: numbered strings behind a table of offsets. */
function chromium(deb: string): Texts[] {
  const { add, all } = gather();
  const names = named({ en: "en-GB", pt: "pt-BR", zh: "zh-CN" });
  for (const language of languages) {
    const path = join(deb, "chromium-l10n/usr/lib/chromium/locales", `${names[language]}.pak`);
    const bytes = readFileSync(path);
    const count = bytes.readUInt16LE(8);
    for (let at = 0; at < count; at += 1) {
      const entry = 12 + at * 6;
      const text = bytes.subarray(bytes.readUInt32LE(entry + 2), bytes.readUInt32LE(entry + 8));
      add(String(bytes.readUInt16LE(entry)), language, text.toString("utf8"));
    }
  }
  return all();
}

/** Nested JSON in files that have the same name in each language. */
function jsonFiles(paths: (language: Language) => readonly (readonly [string, string])[]): Texts[] {
  const { add, all } = gather();
  for (const language of languages)
    for (const [name, path] of paths(language))
      walk(name, JSON.parse(readFileSync(path, "utf8")), (key, text) => add(key, language, text));
  return all();
}

/** The main file and those of its panels, by the folder they lie in. */
function homeAssistant(pip: string): Texts[] {
  const root = join(pip, "home_assistant_frontend/hass_frontend/static/translations");
  const names = named({ pt: "pt-BR", zh: "zh-Hans" });
  const every = files(root, ".json");
  return jsonFiles((language) => {
    const own = new RegExp(`(^|/)${names[language]}-[0-9a-f]{32}\\.json$`);
    return every.filter((path) => own.test(path)).map((path, index) => [String(index), path]);
  });
}

function airflow(pip: string): Texts[] {
  const root = join(pip, "apache_airflow_core/airflow/ui/dist/i18n/locales");
  const names = named({ zh: "zh-CN" });
  const english = files(join(root, "en"), ".json").map((path) => relative(join(root, "en"), path));
  return jsonFiles((language) =>
    english
      .map((name) => [name, join(root, names[language], name)] as const)
      .filter(([, path]) => existsSync(path)),
  );
}

const unquoted = (lines: string): string =>
  [...lines.matchAll(/"((?:[^"\\]|\\.)*)"/g)]
    .map(([, text = ""]) => text.replaceAll('\\"', '"').replaceAll("\\n", " "))
    .join("");

/** gettext sources: the English text is the key. Fuzzy ones are left out. */
function gettext(
  paths: readonly { readonly language: Language; readonly path: string }[],
): Texts[] {
  const { add, all } = gather();
  for (const { language, path } of paths)
    for (const block of readFileSync(path, "utf8").split(/\n\s*\n/)) {
      if (/^#,.*fuzzy/m.test(block)) continue;
      const english = unquoted(/^msgid ((?:".*"\s*)+)/m.exec(block)?.[1] ?? "");
      const text = unquoted(/^msgstr(?:\[0\])? ((?:".*"\s*)+)/m.exec(block)?.[1] ?? "");
      if (english === "" || text === "") continue;
      add(english, "en", english);
      add(english, language, text);
    }
  return all();
}

function poFiles(root: string): Texts[] {
  const folders: Record<string, Language> = {
    de: "de",
    fr: "fr",
    es: "es",
    pt_BR: "pt",
    ru: "ru",
    zh: "zh",
    zh_Hans: "zh",
    ja: "ja",
  };
  return gettext(
    files(root, ".po").flatMap((path) => {
      const language = folders[/\/(\w+)\/LC_MESSAGES\//.exec(path)?.[1] ?? ""];
      return language === undefined ? [] : [{ language, path }];
    }),
  );
}

/** Compiled gettext: two tables of lengths and offsets. */
function postgres(deb: string): Texts[] {
  const { add, all } = gather();
  const names = named({ pt: "pt_BR", zh: "zh_CN" });
  for (const language of others) {
    const root = join(deb, "postgresql-15/usr/share/locale", names[language]);
    for (const path of files(root, ".mo")) {
      const bytes = readFileSync(path);
      const word = (at: number): number => bytes.readUInt32LE(at);
      const text = (table: number, index: number): string => {
        const start = word(table + index * 8 + 4);
        return (
          bytes
            .subarray(start, start + word(table + index * 8))
            .toString("utf8")
            .split("\0")[0] ?? ""
        );
      };
      for (let index = 1; index < word(8); index += 1) {
        add(text(word(12), index), "en", text(word(12), index));
        add(text(word(12), index), language, text(word(16), index));
      }
    }
  }
  return all();
}

function jupyter(pip: string): Texts[] {
  const { add, all } = gather();
  const names = {
    de: "de_DE",
    fr: "fr_FR",
    es: "es_ES",
    pt: "pt_BR",
    ru: "ru_RU",
    zh: "zh_CN",
    ja: "ja_JP",
  };
  for (const language of others)
    for (const path of files(
      join(pip, `jupyterlab_language_pack_${names[language].toLowerCase()}`),
      ".json",
    )) {
      const messages: Record<string, unknown> = JSON.parse(readFileSync(path, "utf8"));
      for (const [key, value] of Object.entries(messages)) {
        const english = key.split("\u0004").at(-1) ?? "";
        const text: unknown = Array.isArray(value) ? value[0] : null;
        if (english === "" || typeof text !== "string" || text === "") continue;
        add(english, "en", english);
        add(english, language, text);
      }
    }
  return all();
}

/** Names of things of the everyday: what the Unicode project calls each emoji. */
function emoji(npm: string): Texts[] {
  const { add, all } = gather();
  for (const language of languages) {
    const path = join(
      folderOf(npm, "cldr-annotations-full"),
      "annotations",
      language,
      "annotations.json",
    );
    const file = JSON.parse(readFileSync(path, "utf8"));
    const entries: Record<string, { default?: string[]; tts?: string[] }> =
      file.annotations.annotations;
    for (const [key, { default: words = [], tts = [] }] of Object.entries(entries)) {
      if (tts[0] !== undefined) add(`${key} name`, language, tts[0]);
      add(`${key} words`, language, words.slice(0, 8).join(" "));
    }
  }
  return all();
}

/** Placeholders, markup and access keys out; null where nothing is left that says anything. */
function cleaned(text: string): string | null {
  const plain = text
    .replaceAll(
      /<[^>]*>|\$?\{[^}]*\}|%\([^)]*\)[sd]?|%[-\d.]*[sdiuzl]+|\$\d|%\d|&[a-z]+;|\[\[.*?\]\]/g,
      " ",
    )
    .replaceAll(/[&_~](?=\p{L})|\([A-Z]\)/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, charactersMax);
  return /\p{L}{2}|\p{Script=Han}/u.test(plain) ? plain : null;
}

if (import.meta.main) {
  const root = process.argv[2] ?? "";
  const [npm, pip, deb] = [join(root, "npm/x"), join(root, "pip/x"), join(root, "deb/x")];
  const sources: Record<string, () => Texts[] | Promise<Texts[]>> = {
    typescript: () => typescript(npm),
    editor: () => editor(npm),
    chromium: () => chromium(deb),
    homeassistant: () => homeAssistant(pip),
    airflow: () => airflow(pip),
    superset: () => poFiles(join(pip, "apache_superset/superset/translations")),
    django: () => poFiles(join(pip, "django")),
    wagtail: () => poFiles(join(pip, "wagtail")),
    postgres: () => postgres(deb),
    jupyter: () => jupyter(pip),
    emoji: () => emoji(npm),
  };
  const seen = new Set<string>();
  for (const [name, read] of Object.entries(sources)) {
    const counts: Partial<Record<Language, number>> = {};
    for (const texts of await read()) {
      const row = languages.map((language) => cleaned(texts[language] ?? ""));
      // A text that nobody translated says nothing; what was copied from English is no translation.
      const kept = row.map((text, at) =>
        at > 0 && text === row[0] && (text ?? "").length > 12 ? null : text,
      );
      if (kept.filter((text) => text !== null).length < 2) continue;
      const line = kept.map((text) => text ?? "").join("\t");
      if (seen.has(line.toLowerCase())) continue;
      seen.add(line.toLowerCase());
      for (const [at, text] of kept.entries())
        if (text !== null) counts[languages[at] ?? "en"] = (counts[languages[at] ?? "en"] ?? 0) + 1;
      console.log(`${name}\t${line}`);
    }
    console.error(name, JSON.stringify(counts));
  }
}
