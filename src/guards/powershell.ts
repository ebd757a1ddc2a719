/** A command line of PowerShell in the words of a shell: paths, escapes, and the cmdlets that change files. Pure. */

/** Shell command that a cmdlet stands for, by its name and its short names. */
const cmdlets: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/(?<![\w-])(?:remove-item|ri|del|erase|rd)(?![\w-])/gi, "rm"],
  [
    /(?<![\w-])(?:set-content|add-content|out-file|clear-content|new-item|sc|ac|ni)(?![\w-])/gi,
    "tee",
  ],
  [/(?<![\w-])(?:copy-item|copy|cpi)(?![\w-])/gi, "cp"],
  [/(?<![\w-])(?:move-item|rename-item|move|ren|mi)(?![\w-])/gi, "mv"],
  [/(?<![\w-])(?:set-location|push-location|chdir|sl)(?![\w-])/gi, "cd"],
  [/(?<![\w-])(?:invoke-expression|iex)(?![\w-])/gi, "eval"],
];

export function powerShellAsShell(command: string): string {
  const plain = command
    .replaceAll("\\", "/")
    .replaceAll(/`\r?\n/g, " ")
    .replaceAll(/`(.)/g, "$1")
    .replaceAll(/(?<=\s)-re(?:curse|c|cu|cur|curs)?(?=\s|$)/gi, "-r")
    .replaceAll(/(?<=\s)-fo(?:rce|r|rc)?(?=\s|$)/gi, "-f")
    .replaceAll(/(?<=\s)-(?:path|literalpath|filepath|value)\s+/gi, "");
  return cmdlets.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), plain);
}
