/** How wide output is. */
import { isatty } from "node:tty";

const stdout = 1;

/** The terminal's width, or what COLUMNS says when output goes elsewhere; null = neither is known. */
export function columnsOf(env: Readonly<Record<string, string | undefined>>): number | null {
  if (isatty(stdout)) return process.stdout.columns;
  const asked = Number(env["COLUMNS"]);
  return Number.isInteger(asked) && asked > 0 ? asked : null;
}
