/** The reference of all settings (docs/reference/config.md), made from the table of keys. */
import { defaultOf, otherVariables, settingKeys, type SettingKey } from "#config";

/** Markdown; ends with a newline. */
export function configReference(): string {
  const sections = [...new Set(settingKeys.map((key) => key.section))];
  return `# Configuration

<!-- Generated from src/config/keys.ts. Do not edit. -->

\`config.toml\` is in the home folder (\`~/.continuity\`, or \`$CONTINUITY_HOME\`). Every key is optional. \
An environment
variable wins over the file, the file over the default. A running daemon notices changes. Unknown keys are ignored with
a warning; a value of the wrong kind is an error that names file and line.

\`continuity config get\` shows what is in force and where it comes from, \
\`continuity config set KEY VALUE\` changes one
key and leaves the rest of the file as it is.

${sections.map(sectionReference).join("\n")}
## Other variables

| variable | effect |
|---|---|
${otherVariables.map(({ variable, effect }) => `| \`${variable}\` | ${effect} |`).join("\n")}
`;
}

const sectionReference = (section: string): string => `## [${section}]

| key | default | type | effect | environment |
|---|---|---|---|---|
${settingKeys
  .filter((key) => key.section === section)
  .map(row)
  .join("\n")}
`;

function row(key: SettingKey): string {
  const variable = key.variable === null ? "none: the file only" : `\`${key.variable}\``;
  const cells = [`\`${key.key}\``, `\`${defaultOf(key)}\``, key.expected, key.effect, variable];
  return `| ${cells.map(cell).join(" | ")} |`;
}

const cell = (text: string): string => text.replaceAll("|", String.raw`\|`);
