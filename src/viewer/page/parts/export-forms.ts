/** Memories as a file for people and programs. Pure. */
import { isoTime } from "#kit";

export interface Exported {
  readonly uri: string;
  readonly l0: string;
  readonly category: string | null;
  readonly project: string | null;
  readonly status: string | null;
  /** Epoch milliseconds. */
  readonly at: number;
}

export const exportFormats = {
  md: { title: "Markdown", type: "text/markdown" },
  csv: { title: "CSV", type: "text/csv" },
  json: { title: "JSON", type: "application/json" },
} as const;
export type ExportFormat = keyof typeof exportFormats;

export function exported(items: readonly Exported[], format: ExportFormat): string {
  if (format === "json") return `${JSON.stringify(items.map(plain), null, 2)}\n`;
  if (format === "md") return `# Memories\n\n${items.map(line).join("")}`;
  return [columns, ...items.map((item) => Object.values(plain(item)))]
    .map((row) => `${row.map(cell).join(",")}\r\n`)
    .join("");
}

const columns = ["uri", "text", "category", "project", "status", "at"];

const plain = ({ uri, l0, category, project, status, at }: Exported) => ({
  uri,
  text: l0,
  category: category ?? "",
  project: project ?? "",
  status: status ?? "",
  at: isoTime(at),
});

const line = (item: Exported): string => {
  const { uri, category, project, status, at } = plain(item);
  const facts = [category, project || "everywhere", status, at.slice(0, 10)];
  const said = item.l0.replaceAll(/\s+/g, " ").replaceAll(/([\\`*_<[\]])/g, "\\$1");
  return `- ${said}\n  \`${uri}\` (${facts.filter(Boolean).join(", ")})\n`;
};

/** Spreadsheets take what begins with these for a formula. */
const cell = (value: string): string =>
  `"${(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;

/** All of a list; null where it could not be had. */
export type Take = () => Promise<readonly Exported[] | null>;
