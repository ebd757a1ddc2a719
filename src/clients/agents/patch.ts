/** The files that a patch in the form of `apply_patch` touches. Pure. */

const fileLine = /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gm;
const filesMax = 50;

/** Paths as the patch writes them, each once, from the working folder where they are relative. */
export function filesOfPatch(patch: string, cwd: string | null): readonly string[] {
  const named = [...patch.matchAll(fileLine)]
    .slice(0, filesMax)
    .map(([, path, moved]) => (path ?? moved ?? "").trim())
    .filter((path) => path !== "");
  const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:[\\/])/.test(path);
  return [
    ...new Set(named.map((path) => (cwd === null || isAbsolute(path) ? path : `${cwd}/${path}`))),
  ];
}

/** The text of a patch, however an agent hands it over; null when the input holds none. */
export function patchIn(input: unknown): string | null {
  const found =
    typeof input === "string"
      ? input
      : typeof input === "object" && input !== null
        ? ["command", "patch", "input", "patchText"]
            .map((name) => (input as Readonly<Record<string, unknown>>)[name])
            .find((text) => typeof text === "string")
        : null;
  return typeof found === "string" && found.includes("*** Begin Patch") ? found : null;
}
