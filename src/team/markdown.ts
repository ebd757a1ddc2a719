/** A memory as a file of a repository: a head of a few lines, the memory in one line, and its overview. Pure. */
import { isCategory, teamCategories, type TeamText } from "#domain";
import { isoDate, oneLine, ok, err, type Result } from "#kit";

export interface TeamFile {
  readonly author: string;
  readonly text: TeamText;
}

const list = (values: readonly string[]): string =>
  values.map((value) => value.replaceAll(",", " ")).join(", ");

/** Lines of the head that have nothing to say are left out. */
export function renderFile({ author, text }: TeamFile): string {
  const head: readonly (readonly [string, string])[] = [
    ["continuity", "1"],
    ["author", author],
    ["category", text.category],
    ["said", isoDate(text.saidAt)],
    ["importance", `${text.importance}`],
    ["slot", text.slot ?? ""],
    ["tags", list(text.tags)],
    ["files", list(text.files)],
  ];
  const lines = head.flatMap(([name, value]) =>
    value === "" ? [] : [`${name}: ${oneLine(value)}`],
  );
  // An overview may begin with the line itself.
  const [first = "", ...others] = (text.l1 ?? "").trim().split("\n");
  const l1 = (first.trim() === text.l0 ? others.join("\n") : (text.l1 ?? "")).trim();
  const rest = l1 === "" ? "" : `\n${l1}\n`;
  return `---\n${lines.join("\n")}\n---\n\n${text.l0}\n${rest}`;
}

const importanceDefault = 3;

/** Reads what `renderFile` writes, and what people make of it. The error is a few words for a list. */
export function parseFile(source: string): Result<TeamFile, string> {
  const [, head = "", body = ""] =
    /^---\r?\n([\s\S]{0,4000}?)\r?\n---\r?\n([\s\S]*)$/.exec(source) ?? [];
  const fields = new Map(
    head.split(/\r?\n/).flatMap((line) => {
      const at = line.indexOf(":");
      return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const];
    }),
  );
  if (fields.get("continuity") !== "1") return err("no memory of Continuity");
  const category = fields.get("category") ?? "";
  const known = isCategory(category) ? teamCategories.find((one) => one === category) : undefined;
  if (known === undefined) return err(`a category that is not shared: ${category.slice(0, 40)}`);
  const saidAt = Date.parse(fields.get("said") ?? "");
  if (!Number.isFinite(saidAt) || saidAt < 0) return err("no date in `said`");
  const [l0 = "", ...rest] = body.replaceAll("\r\n", "\n").trim().split("\n");
  if (l0.trim() === "") return err("no text");
  const l1 = rest.join("\n").trim();
  const listed = (name: string): readonly string[] =>
    (fields.get(name) ?? "")
      .split(",")
      .map((value) => value.trim())
      .filter((value) => value !== "");
  const importance = Number(fields.get("importance"));
  return ok({
    author: fields.get("author") ?? "",
    text: {
      category: known,
      l0: l0.trim().replace(/^#+\s+/, ""),
      l1: l1 === "" ? null : l1,
      slot: fields.get("slot") ?? null,
      tags: listed("tags"),
      files: listed("files"),
      importance:
        Number.isInteger(importance) && importance >= 1 && importance <= 5
          ? importance
          : importanceDefault,
      saidAt,
    },
  });
}
