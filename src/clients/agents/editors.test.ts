/** The files of editors: what a person wrote there stays, and an older rule becomes the one of this version. */
import { describe, expect, test } from "bun:test";
import { agentFiles } from "./files.ts";

const editors = ["cursor", "windsurf", "kiro", "cline"] as const;

function filesOf(editor: (typeof editors)[number]) {
  const [servers, rule] = agentFiles(editor, { HOME: "/home/nadia" }, "/opt/tools/continuity");
  if (servers === undefined || rule === undefined) throw new Error(`${editor} has two files`);
  return { servers, rule };
}

function ok<Value>(result: { readonly ok: boolean; readonly value?: Value }): Value {
  if (result.value === undefined) throw new Error(JSON.stringify(result));
  return result.value;
}

describe.each(editors)("%s", (editor) => {
  const { servers, rule } = filesOf(editor);
  const whole = ok(rule.plan(null)).text;

  test("lines that a person wrote below the rule stay at an upgrade and an uninstall", () => {
    const old = whole.replace(/Save what .*/u, "Older words.");
    const edited = `${old}\nkeep commits small\n`;
    const upgraded = ok(rule.plan(edited));
    expect(upgraded).toMatchObject({ text: `${whole}\nkeep commits small\n` });
    expect(ok(rule.plan(upgraded.text)).changes).toEqual([]);
    for (const text of [edited, upgraded.text]) {
      const left = ok(rule.takeOut(text, null)).text;
      expect(left).toContain("keep commits small");
      expect(left).not.toContain("Continuity remembers");
    }
  });

  test("a rule of an older version alone goes with its file", () => {
    const old = whole.replace(/Save what .*/u, "Older words.");
    expect(ok(rule.takeOut(old, null)).text).toBeNull();
  });

  test("servers that are a list are left as they are, with a reason", () => {
    const planned = servers.plan('{"mcpServers": []}');
    expect(planned).toMatchObject({ ok: false, error: { line: 1 } });
  });
});
