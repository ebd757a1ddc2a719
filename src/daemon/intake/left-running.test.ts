/** A command that the client left running, or stopped, before its end: its output tells no success. */
import { expect, test } from "bun:test";
import { isLeftRunning, type PrivacyGate } from "#domain";
import { toolRecord } from "./payload.ts";

const gate = { isSecretPath: () => false, readsSecrets: () => false } as unknown as PrivacyGate;

test.each([
  [{ stdout: "", stderr: "", interrupted: false, backgroundTaskId: "b5" }, true],
  [{ stdout: "half of it", stderr: "", interrupted: true }, true],
  [{ stdout: "all of it", stderr: "", interrupted: false }, false],
])("%j", (response, isLeft) => {
  const payload = {
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command: "make tide" },
    tool_response: response,
  };
  const { text } = toolRecord({
    payload,
    gate,
    boring: [],
    scrub: (said: string | null) => said,
  });
  expect(isLeftRunning(text)).toBe(isLeft);
});
