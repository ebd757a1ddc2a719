/** How wide output should be where no terminal says it. */

/** What COLUMNS says; null = nothing that is a width. */
export function columnsAsked(env: Readonly<Record<string, string | undefined>>): number | null {
  const asked = Number(env["COLUMNS"]);
  return Number.isInteger(asked) && asked > 0 ? asked : null;
}
