import { expect, test } from "bun:test";
import { gateEnvelope } from "./gate-envelope.ts";
import { plainGate, testEnvelope } from "../../test/support/hooks.ts";

const deps = { gate: plainGate, boring: ["Grep"] };

const gated = (payload: Record<string, unknown>, hook: "submit" | "tool" | "stop" = "submit") =>
  gateEnvelope(
    deps,
    testEnvelope({ hook, gated: false, payload: { session_id: "s", ...payload } }),
  );

test("private blocks and secrets are out of every text, and the envelope says so", () => {
  const { envelope, hidden } = gated({
    prompt: "use SECRETabc <private>my salary</private> ok",
  });
  expect(envelope.gated).toBe(true);
  expect(hidden).not.toBeNull();
  expect(envelope.payload["prompt"]).toBe("use [redacted:test]  ok");
});

test("a prompt that is private as a whole leaves a mark and no word", () => {
  const { envelope, hidden } = gated({ prompt: "<private>all of it</private>" });
  expect(hidden).not.toBeNull();
  expect(envelope.payload["prompt"]).toBe("<private></private>");
  // A gate downstream sees what this one saw.
  expect(plainGate.clean(String(envelope.payload["prompt"])).whollyPrivate).toBe(true);
});

test("secrets go before anything is cut, so that no half of one is left", () => {
  const secret = `SECRET${"k".repeat(3_000)}`;
  const { envelope } = gated(
    { tool_name: "Bash", tool_input: { command: "make" }, tool_response: { stdout: secret } },
    "tool",
  );
  expect(JSON.stringify(envelope.payload)).not.toContain("kkk");
});

test("a prompt that is too long for the spool keeps what stands before and after the paste", () => {
  const { envelope } = gated({
    prompt: `why?\n${"a line of a log\n".repeat(10_000)}\nremember that staging is on port 6432`,
  });
  const kept = String(envelope.payload["prompt"]);
  expect(kept.length).toBeLessThanOrEqual(100_000);
  expect(kept).toStartWith("why?\n");
  expect(kept).toEndWith("\nremember that staging is on port 6432");
});

test("a long tool text keeps head and tail", () => {
  const stdout = `FIRST ${"x".repeat(10_000)} LAST`;
  const { envelope } = gated({ tool_name: "Bash", tool_response: { stdout } }, "tool");
  const kept = (envelope.payload["tool_response"] as { stdout: string }).stdout;
  expect(kept.length).toBeLessThanOrEqual(2_048);
  expect(kept.startsWith("FIRST")).toBe(true);
  expect(kept.endsWith("LAST")).toBe(true);
});

test.each([
  { name: "a boring tool", tool_name: "Grep", tool_input: { pattern: "cart", path: "/shop" } },
  {
    name: "a key file",
    tool_name: "Edit",
    tool_input: { file_path: "/shop/.env", old_string: "WORDS" },
  },
  {
    name: "a shell that prints one",
    tool_name: "Bash",
    tool_input: { command: "cat shop/.env|head" },
  },
  {
    name: "a command that prints secrets",
    tool_name: "Bash",
    tool_input: { command: "op read op://shop/db/password" },
  },
])("$name keeps no text", ({ name: _name, ...fields }) => {
  const { envelope } = gated({ ...fields, tool_response: { stdout: "WORDS" } }, "tool");
  expect(JSON.stringify(envelope.payload)).not.toContain("WORDS");
  expect(envelope.payload["tool_name"]).toBe(fields.tool_name);
});

test("a tool's input paths stay when its text goes", () => {
  const { envelope } = gated(
    { tool_name: "Grep", tool_input: { pattern: "cart", path: "/shop", glob: "*.ts" } },
    "tool",
  );
  expect(envelope.payload["tool_input"]).toEqual({ pattern: "cart", path: "/shop" });
});

test("identifiers pass as they are; a gated envelope is left alone", () => {
  const { envelope } = gated({ prompt_id: "SECRETlike", prompt: "hi" });
  expect(envelope.payload["prompt_id"]).toBe("SECRETlike");
  expect(gateEnvelope(deps, envelope).envelope).toBe(envelope);
});
