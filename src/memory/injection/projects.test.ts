/** No ordinary word of sixteen developers names a project, and what they ask of another one by a rare name is found. */
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { readVoice } from "../../../lab/train/voice.ts";
import { embedder } from "../../../test/support/memory/finding.ts";
import { isWordForm } from "../retrieval/names.ts";
import { namedProjects } from "./projects.ts";

/** Names that people give to projects and say without meaning one. */
const ordinary = (
  "core api blog tests test atlas bridge ferry website portfolio homelab notes scraper monorepo frontend backend " +
  "infra " +
  "boilerplate sandbox playground thesis resume invoicing toolbox chatbot pomodoro todo todos widget gizmo foobar " +
  "foo wip " +
  "tmp codegen autosave dotfiles config prod docker postgres redis kafka parquet pnpm systemd terraform grafana " +
  "airflow duckdb pytest numpy ruff mypy cargo tokio serde axum sqlx zephyr firmware ansible pgbouncer vault " +
  "kotlin gradle"
).split(" ");

const isRare = ({ name }: { readonly name: string }): boolean =>
  !isWordForm(name.toLowerCase(), (word) => embedder.isWord?.(word) === true);

const keyOf = (name: string): string => `git.example/own/${name}`;

test("prompts of developers name the projects they mean, and no other", () => {
  const folder = `${import.meta.dir}/../../../lab/train/voices`;
  let prompts = 0;
  let asked = 0;
  let found = 0;
  const wrong: string[] = [];
  for (const file of readdirSync(folder)) {
    const voice = readVoice(`${folder}/${file}`);
    const own = [...voice.projects.keys()];
    const projects = [...new Set([...own, ...ordinary])].map((name) => ({
      key: keyOf(name),
      name,
    }));
    const said = [
      ...voice.sessions.flatMap(({ project, turns }) => turns.map((one) => ({ ...one, project }))),
      ...voice.probes,
    ];
    for (const { prompt, project } of said) {
      prompts += 1;
      const named = namedProjects({ projects, homeProject: keyOf(project) }, prompt, isRare);
      wrong.push(
        ...named
          .filter((key) => !own.some((name) => keyOf(name) === key))
          .map((key) => `${key}: ${prompt}`),
      );
    }
    for (const { prompt, project } of voice.probes)
      for (const name of own) {
        if (name === project || !new RegExp(`(?<![\\w-])${name}(?![\\w-])`, "iu").test(prompt))
          continue;
        asked += 1;
        const known = { projects, homeProject: keyOf(project) };
        if (namedProjects(known, prompt, isRare).includes(keyOf(name))) found += 1;
      }
  }
  expect(wrong).toEqual([]);
  expect(prompts).toBeGreaterThan(5_000);
  // 12 before lower-case names and scripts without spaces; those that are words, as `fleet` is, want a sign.
  expect({ asked, found }).toEqual({ asked: 39, found: 24 });
});
