import { expect, test } from "bun:test";
import { pathsOf, slimPayload } from "./slim.ts";

const edit = (old: string, fresh: string) => ({
  session_id: "s-1",
  tool_name: "Edit",
  tool_input: { file_path: "/shop/cart.ts", old_string: old, new_string: fresh },
  tool_response: {
    filePath: "/shop/cart.ts",
    oldString: old,
    newString: fresh,
    originalFile: "ORIGINAL",
    structuredPatch: [{ lines: ["PATCH"] }],
  },
});

test("copies of a file never leave the hook", () => {
  const text = JSON.stringify(slimPayload(edit("a", "b")));
  expect(text).not.toContain("ORIGINAL");
  expect(text).not.toContain("PATCH");
  expect(text).toContain("cart.ts");
});

test("an edit's strings are whole or absent, never cut", () => {
  expect(slimPayload(edit("old line", "new line"))["tool_input"]).toEqual({
    file_path: "/shop/cart.ts",
    old_string: "old line",
    new_string: "new line",
  });
  const long = slimPayload(edit("x".repeat(5_000), "new line"));
  expect(long["tool_input"]).toEqual({ file_path: "/shop/cart.ts", new_string: "new line" });
});

test.each([
  {
    name: "Write",
    tool_input: { file_path: "/shop/notes.md", content: "WHOLE FILE" },
    tool_response: { filePath: "/shop/notes.md", content: "WHOLE FILE" },
  },
  {
    name: "Read",
    tool_input: { file_path: "/shop/notes.md" },
    tool_response: { type: "text", file: { filePath: "/shop/notes.md", content: "WHOLE FILE" } },
  },
  { name: "Read", tool_input: { file_path: "/shop/notes.md" }, tool_response: "WHOLE FILE" },
  {
    name: "mcp__files__read_text_file",
    tool_input: { path: "/shop/notes.md" },
    tool_response: [{ type: "text", text: "WHOLE FILE" }],
  },
  {
    name: "mcp__files__write",
    tool_input: { path: "/shop/notes.md", content: "WHOLE FILE" },
    tool_response: "written",
  },
  {
    name: "NotebookEdit",
    tool_input: { notebook_path: "/shop/notes.md", new_source: "WHOLE FILE" },
    tool_response: "ok",
  },
])("file contents stay out: $name", ({ name, ...fields }) => {
  const text = JSON.stringify(slimPayload({ session_id: "s-1", tool_name: name, ...fields }));
  expect(text).not.toContain("WHOLE FILE");
  expect(text).toContain("/shop/notes.md");
});

test("what a subagent or an MCP tool said is kept", () => {
  const kept = slimPayload({
    tool_name: "Agent",
    tool_input: { prompt: "look" },
    tool_response: { content: [{ type: "text", text: "Found in cart.ts" }] },
  });
  expect(JSON.stringify(kept)).toContain("Found in cart.ts");
});

test("above 256 KB a tool event keeps name, paths and outcome only", () => {
  const kept = slimPayload({
    session_id: "s-1",
    hook_event_name: "PostToolUse",
    tool_use_id: "toolu_1",
    tool_name: "Bash",
    tool_input: { command: `echo ${"y".repeat(300_000)}`, path: "/shop" },
    tool_response: { stdout: "z".repeat(300_000) },
  });
  expect(kept).toEqual({
    session_id: "s-1",
    hook_event_name: "PostToolUse",
    tool_use_id: "toolu_1",
    tool_name: "Bash",
    tool_input: { path: "/shop" },
  });
});

test("a long prompt is not cut: the gate has not seen it yet", () => {
  const prompt = "p".repeat(400_000);
  expect(slimPayload({ session_id: "s-1", prompt })["prompt"]).toBe(prompt);
});

test("fields that we do not know are not carried", () => {
  expect(slimPayload({ session_id: "s-1", env: { API_KEY: "k" }, effort: {} })).toEqual({
    session_id: "s-1",
  });
});

test("endless nesting ends", () => {
  let deep: unknown = "bottom";
  for (let at = 0; at < 2_000; at += 1) deep = { deep };
  expect(JSON.stringify(slimPayload({ tool_name: "X", tool_input: deep })).length).toBeLessThan(
    500,
  );
});

test("the files of an event are named once each", () => {
  expect(pathsOf(edit("a", "b"))).toEqual(["/shop/cart.ts"]);
  expect(pathsOf({ tool_name: "Bash", tool_input: { command: "ls" } })).toEqual([]);
});
