/** A memory as a file of a repository: a head of a few lines, the memory in one line, and its overview. Pure. */
import { teamCategories, type TeamText } from "#domain";
import { isoDate, parseNow, oneLine, ok, err, type Result } from "#kit";

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
  const { head, body } = partsOf(source);
  const fields = fieldsIn(head);
  if (fields.get("continuity") !== "1") return err("no memory of Continuity");
  const named = fields.get("category") ?? "";
  const category = teamCategories.find((one) => one === named);
  if (category === undefined) return err(`a category that is not shared: ${named.slice(0, 40)}`);
  const saidAt = parseNow(fields.get("said"));
  if (saidAt === null || saidAt < 0) return err("no date in `said`");
  const { l0, l1 } = wordsIn(body);
  if (l0 === "") return err("no text");
  return ok({
    author: fields.get("author") ?? "",
    text: {
      category,
      l0,
      l1,
      slot: fields.get("slot") ?? null,
      tags: listed(fields.get("tags")),
      files: listed(fields.get("files")),
      importance: importanceOf(fields.get("importance")),
      saidAt,
    },
  });
}

function partsOf(source: string): { readonly head: string; readonly body: string } {
  const [, head = "", body = ""] =
    /^---\r?\n([\s\S]{0,4000}?)\r?\n---\r?\n([\s\S]*)$/.exec(source) ?? [];
  return { head, body };
}

/** The line, and what stands below it. */
function wordsIn(body: string): Pick<TeamText, "l0" | "l1"> {
  const [first = "", ...rest] = body.replaceAll("\r\n", "\n").trim().split("\n");
  return { l0: first.trim().replace(/^#+\s+/, ""), l1: rest.join("\n").trim() || null };
}

const fieldsIn = (head: string): ReadonlyMap<string, string> =>
  new Map(
    head.split(/\r?\n/).flatMap((line) => {
      const at = line.indexOf(":");
      return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const];
    }),
  );

const listed = (values = ""): readonly string[] =>
  values
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");

const importanceOf = (given = ""): number =>
  /^[1-5]$/.test(given) ? Number(given) : importanceDefault;
