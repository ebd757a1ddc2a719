import { expect, test } from "bun:test";
import { closedRuntime } from "../scripts/closed-runtime.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (of: Uint8Array): string => new TextDecoder().decode(of);

test("every occurrence of the names goes, and nothing else changes", () => {
  const before = "a\0BUN_OPTIONS\0binaryBUN_OPTIONSBUN_INSPECT\0BUN_BE_BUN\0BUN_TCC_OPTIONS";
  const after = text(closedRuntime(bytes(before)));
  expect(after).toBe(
    "a\0\0UN_OPTIONS\0binary\0UN_OPTIONSBUN_INSPECT\0\0UN_BE_BUN\0BUN_TCC_OPTIONS",
  );
});

test("a runtime that does not hold a name ends the build", () => {
  expect(() => closedRuntime(bytes("BUN_OPTIONS only"))).toThrow("BUN_BE_BUN");
});
