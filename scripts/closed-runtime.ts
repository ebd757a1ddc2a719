/**
 * Bun's executable without the two variables by which an environment takes over a compiled program: BUN_OPTIONS adds
 * options to it, `--preload FILE` among them, and BUN_BE_BUN turns it into Bun itself. Bun has no option that switches
 * them off, so their names are taken out of the copy that our program is built from. A project's settings can set
 * variables for every hook; clearing them in each installed command instead would cost every hook a second process.
 */

/** The variables whose names are taken out. */
export const closedVariables = ["BUN_OPTIONS", "BUN_BE_BUN"] as const;

/**
 * The executable with those names made unfindable: no variable's name holds a NUL. Throws where a name is missing, since
 * then this version of Bun looks it up in a way that is not known here.
 */
export function closedRuntime(executable: Uint8Array): Uint8Array {
  const bytes = Buffer.from(executable);
  for (const name of closedVariables) {
    if (bytes.indexOf(name) < 0) throw new Error(`Bun's executable does not hold the name ${name}`);
    for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at)) bytes[at] = 0;
  }
  return bytes;
}
