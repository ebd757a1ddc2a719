/** What a line says of an instruction file that it contradicts. Pure. */
import type { NoteFinding } from "#domain";

/** `, later than CLAUDE.md`: the file says otherwise, and was changed before the memory was said. */
export const laterMark = (finding: NoteFinding | null): string =>
  finding?.kind === "contrary" ? `, later than ${finding.file.split(/[\\/]/u).at(-1) ?? ""}` : "";
