/** Taking everything along: an export as one stream of lines, or as a folder of readable files. */
export { exportLines, exportName } from "./lines.ts";
export { writeLinesFolder, writeMarkdownFolder } from "./folder.ts";
export type { ExportError, Exported } from "./folder.ts";
