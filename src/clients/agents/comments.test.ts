/** Agents that allow comments in their settings keep them, wherever they stand. */
import { expect, test } from "bun:test";
import { agentFiles } from "./files.ts";

const files = (agent: "gemini" | "opencode" | "codex") =>
  agentFiles(agent, { HOME: "/home/nadia" }, "/opt/tools/continuity").filter(({ path }) =>
    path.endsWith(".json"),
  );

const commented: readonly string[] = [
  '{\n  // mine\n  "model": "a/b",\n}\n',
  '\ufeff{\r\n\t// mine\r\n\t"ui": {"theme":"x"}, /* two\r\n lines */\r\n\t"mcpServers": {}, "mcp": {}\r\n}',
  '{ "url": "http://x/*no*/", "note": "// none", /* c */ "a": [1, 2, /* d */ ], }',
  "{\n  // nothing yet\n}\n",
  '{\n  "hooks": {\n    // others\n    ' +
    '"AfterAgent": [{ "hooks": [{ "type": "command", "command": "say done" }] }, ], // e\n  },\n}\n',
  '{\n  "a": [1, // one ]\n 2], // two }\n  "b": {"c": 1, /* x } */ "d": 2}\n}\n',
  '{"mcp": { /* servers */ }, "mcpServers": { // none\n } }',
];

const readCommented = (text: string): Readonly<Record<string, unknown>> =>
  (
    Bun as unknown as {
      JSONC: { parse: (text: string) => Readonly<Record<string, unknown>> };
    }
  ).JSONC.parse(text.replace("\ufeff", ""));

test.each(["gemini", "opencode"] as const)("%s: comments stay where they are", (agent) => {
  for (const text of commented)
    for (const file of files(agent)) {
      const planned = file.plan(text);
      if (!planned.ok) throw new Error(`${text}: ${JSON.stringify(planned.error)}`);
      const after = planned.value.text;
      expect(planned.value.changes.length).toBeGreaterThan(0);
      const { hooks: _, mcp: __, mcpServers: ___, ...others } = readCommented(text);
      expect(readCommented(after)).toMatchObject(others);
      expect(after.includes("say done")).toBe(text.includes("say done"));
      for (const comment of text.match(/\/\/ \w+|\/\* [\s\S]*?\*\//g) ?? [])
        expect([comment, after.split(comment).length]).toEqual([comment, 2]);
      expect(JSON.stringify(readCommented(after))).toContain("/opt/tools/continuity");
      expect(file.plan(after)).toMatchObject({ ok: true, value: { text: after, changes: [] } });
      // Somebody changed it since: only what is ours goes.
      const out = file.takeOut(`${after}\n`, text);
      if (!out.ok) throw new Error(JSON.stringify(out.error));
      expect(readCommented(out.value.text ?? "")).toEqual(readCommented(text));
    }
});

test("Codex CLI, which reads no comments, is told of one", () => {
  for (const file of files("codex"))
    expect(file.plan(commented[0] ?? "")).toMatchObject({ ok: false, error: { line: 2 } });
});
