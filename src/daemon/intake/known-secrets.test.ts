import { expect, test } from "bun:test";
import { openTestWorker, type TestWorker } from "../../../test/support/worker.ts";

const kept = (app: TestWorker): string =>
  JSON.stringify([
    app.store.sessions.turns("s-1"),
    app.store.sessions.toolUses("s-1", null),
    app.store.sessions.turns("s-2"),
  ]);

const inSession = { session_id: "s-1", cwd: "/home/dev/webshop" };

test.each([
  "the wifi password is Plum.Harbor.7",
  "das passwort ist Gurkensalat!Mai, trag es ein",
  "admin pass: qm7Zp2Lx9Rt4 test the login",
])("a secret of a prompt is hidden wherever its session repeats it: %s", (prompt) => {
  using app = openTestWorker();
  const [secret = ""] = /Plum\.Harbor\.7|Gurkensalat!Mai|qm7Zp2Lx9Rt4/.exec(prompt) ?? [];
  app.submit(prompt, "p-1");
  app.send("tool", "PostToolUse", {
    ...inSession,
    tool_name: "Bash",
    tool_input: { command: `./login.sh ${secret}` },
    tool_response: { stdout: `trying ${secret}` },
    tool_use_id: "u-1",
  });
  app.stop(`I used ${secret}, and it works.`, "p-1");
  app.submit(`so ${secret} it is`, "p-2");
  app.stop("Fine.", "p-2");
  expect(kept(app)).not.toContain(secret);
  expect(kept(app)).toContain("I used [redacted:secret], and it works.");
  expect(kept(app)).toContain("so [redacted:secret] it is");
});

test("a secret that a tool printed is hidden in the answer", () => {
  using app = openTestWorker();
  app.submit("what is in the settings?", "p-1");
  app.send("tool", "PostToolUse", {
    ...inSession,
    tool_name: "Bash",
    tool_input: { command: "./settings.sh" },
    tool_response: { stdout: "DB_PASSWORD=Kestrel9wing" },
    tool_use_id: "u-1",
  });
  app.stop("The database takes Kestrel9wing.", "p-1");
  expect(kept(app)).toContain("The database takes [redacted:secret].");
});

test("a word of the language stays readable, though it is a password", () => {
  using app = openTestWorker();
  app.submit("DB_PASSWORD=harbor", "p-1");
  app.stop("The harbor page is green.", "p-1");
  expect(kept(app)).not.toContain("DB_PASSWORD=harbor");
  expect(kept(app)).toContain("The harbor page is green.");
});

test("the name of the project stays readable", () => {
  using app = openTestWorker();
  app.submit("DB_PASSWORD=webshop", "p-1");
  app.stop("It runs in webshop now.", "p-1");
  expect(kept(app)).not.toContain("DB_PASSWORD=webshop");
  expect(kept(app)).toContain("It runs in webshop now.");
});

test("another session keeps its words", () => {
  using app = openTestWorker();
  app.submit("the wifi password is Plum.Harbor.7", "p-1");
  const other = { session_id: "s-2", cwd: "/home/dev/webshop", prompt_id: "p-9" };
  app.send("submit", "UserPromptSubmit", { ...other, prompt: "who is Plum.Harbor.7?" });
  expect(kept(app)).toContain("who is Plum.Harbor.7?");
});
