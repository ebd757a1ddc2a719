/** Tests that who the user is, once ordered to be remembered, stands at the start of every other project. */
import { expect, test } from "bun:test";
import { openTestWorker } from "../../../test/support/worker.ts";

/** Section on the user at the start of a session in another project. */
async function sectionAfter(prompt: string): Promise<string> {
  using app = openTestWorker({
    projectOf: (root) => ({ key: `local:${root}`, name: root.slice(6), root, branch: "main" }),
  });
  app.submit(prompt, "p-1");
  app.stop("Noted.", "p-1");
  await app.settle();
  const other = { session_id: "s-2", cwd: "/home/other", source: "startup" };
  const [, section = ""] = app
    .send("start", "SessionStart", other)
    .split("## Working with this user");
  return section.split("\n## ")[0] ?? "";
}

test.each([
  ["remember that I am red-green blind", "red-green blind"],
  ["remember: I'm red-green blind", "red-green blind"],
  ["merk dir, dass ich rot-grün-blind bin", "rot-grün-blind"],
  ["souviens-toi que je suis daltonien", "daltonien"],
  ["recuerda que soy daltónico", "daltónico"],
  ["lembre-se de que sou daltônico", "daltônico"],
  ["запомни, что я дальтоник", "дальтоник"],
  ["记住我是红绿色盲", "红绿色盲"],
  ["覚えておいて：私は色弱です", "色弱"],
])("%s", async (prompt, said) => {
  expect(await sectionAfter(prompt)).toContain(said);
});

test.each([
  "remember that I am on the staging branch",
  "remember that I am the only maintainer of the tide tables",
  "I am red-green blind",
])("only in its project, or not at all: %s", async (prompt) => {
  expect(await sectionAfter(prompt)).not.toMatch(/staging|maintainer|blind/u);
});
