/**
 * Converts gitleaks' default configuration to src/privacy/gitleaks-rules.json.
 *
 *   bun scripts/gen-secret-rules.ts <module folder of github.com/zricethezav/gitleaks/v8> [version]
 *
 * The folder comes from `go mod download -json github.com/zricethezav/gitleaks/v8@latest`. Says which rules it
 * leaves out and why.
 */
import { parse } from "smol-toml";
import { z } from "zod";
import { anchorsOf } from "./secret-rules/anchors.ts";
import { translate } from "./secret-rules/translate.ts";

const Config = z.object({
  rules: z.array(
    z.object({
      id: z.string(),
      regex: z.string().optional(),
      keywords: z.array(z.string()).default([]),
      entropy: z.number().optional(),
      secretGroup: z.number().optional(),
    }),
  ),
});

/** Rules that src/privacy does itself, better for talk or without backtracking. */
const ours: Readonly<Record<string, string>> = {
  "generic-api-key": "src/privacy/assignments.ts reads names and values itself",
  "hashicorp-tf-password": "assignments.ts",
  "freemius-secret-key": "assignments.ts",
  "curl-auth-header": "headers.ts (the original backtracks over whole lines)",
  "curl-auth-user": "headers.ts (the original backtracks over whole lines)",
  "kubernetes-secret-yaml": "kubernetes.ts (the original backtracks)",
  "private-key": "private-keys.ts (unclosed and cut keys as well)",
  jwt: "jwt.ts",
  "sidekiq-sensitive-url": "urls.ts hides every password in an address",
  "jwt-base64":
    "its names groups would hide one header field only; jwt.ts and assignments.ts see the rest",
};

/** Alternatives that match things which are no secrets once they stand in prose. */
const patches: Readonly<Record<string, readonly [string, string]>> = {
  // Any forty hex characters, as soon as the word "sourcegraph" is somewhere: that is every commit.
  "sourcegraph-access-token": ["|[a-fA-F0-9]{40})", ")"],
  // Heads that take no part in the secret and would make every address a candidate.
  "microsoft-teams-webhook": [String.raw`https://[a-z0-9]+\.webhook`, "webhook"],
  "slack-webhook-url": ["(?:https?://)?hooks.slack.com", String.raw`hooks\.slack\.com`],
};

interface Rule {
  readonly id: string;
  readonly anchors: readonly string[];
  readonly source: string;
  readonly flags: string;
  readonly entropyMin: number;
  readonly group: number;
  readonly named: boolean;
  readonly sticky: boolean;
}

const [folder, version = folder?.split("@")[1] ?? "unknown"] = process.argv.slice(2);
if (folder === undefined) throw new Error("give the folder of the gitleaks module");
const config = Config.parse(parse(await Bun.file(`${folder}/config/gitleaks.toml`).text()));
const left: string[] = [];
const rules: Rule[] = [];

for (const rule of config.rules) {
  const reason = ours[rule.id];
  if (rule.regex === undefined)
    left.push(`${rule.id}: names a file, not a text (secret-commands.ts)`);
  else if (reason !== undefined) left.push(`${rule.id}: ${reason}`);
  else {
    try {
      const [from, to] = patches[rule.id] ?? ["", ""];
      const { source, flags, named } = translate(rule.regex.replace(from, to));
      const exact = anchorsOf(source, 2);
      rules.push({
        id: rule.id,
        anchors: exact ?? rule.keywords.map((keyword) => keyword.toLowerCase()),
        source,
        flags,
        entropyMin: rule.entropy ?? 0,
        group: rule.secretGroup ?? 0,
        named,
        sticky: exact !== null,
      });
    } catch (error) {
      left.push(`${rule.id}: cannot be translated (${String(error)})`);
    }
  }
}

const about = {
  from: `gitleaks ${version}, config/gitleaks.toml`,
  by: "scripts/gen-secret-rules.ts; do not edit",
  licence: "MIT, Copyright (c) 2019 Zachary Rice; see THIRD-PARTY.md",
  leftOut: left,
};
const lines = rules.map((rule) => `    ${JSON.stringify(rule)}`).join(",\n");
await Bun.write(
  `${import.meta.dir}/../src/privacy/gitleaks-rules.json`,
  `${JSON.stringify(about, null, 2).slice(0, -2)},\n  "rules": [\n${lines}\n  ]\n}\n`,
);

/** Two characters are no filter; the prefilter has its own shapes for these (src/privacy/prefilter.ts). */
const tooShort = (anchor: string): boolean => anchor.length < 3;
const literals = (wanted: (rule: Rule) => boolean): readonly string[] =>
  [...new Set(rules.filter(wanted).flatMap((rule) => rule.anchors))]
    .filter((anchor) => !tooShort(anchor))
    .toSorted();
const { leftOut: _, ...origin } = about;
await Bun.write(
  `${import.meta.dir}/../src/privacy/gitleaks-anchors.json`,
  `${JSON.stringify(
    {
      ...origin,
      meaning:
        "One of these (lower case) stands in every text that gitleaks-rules.json could match, but for literals of two characters: prefixes begin tokens, names matter only before a separator and a value.",
      prefixes: literals((rule) => !rule.named),
      names: literals((rule) => rule.named),
    },
    null,
    1,
  )}\n`,
);
const short = rules.flatMap((rule) => rule.anchors).filter(tooShort);
console.log(
  `${rules.length} rules, ${short.length} short anchors (${short.join(" ")}); left out:\n${left.join("\n")}`,
);
console.log(
  "not anchored at their start:",
  rules.filter((rule) => !rule.sticky).map((r) => `${r.id} [${r.anchors.join(" ")}]`),
);
