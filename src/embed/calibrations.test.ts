import { expect, test } from "bun:test";
import { calibrationOf, loadEmbeddedModel } from "./embedded-model.ts";

test("the model that is shipped has been measured", () => {
  const loaded = loadEmbeddedModel();
  expect(loaded.ok && loaded.value.identity.isCalibrated).toBe(true);
});

test("an embedder that nobody measured is trusted less in everything", () => {
  const loaded = loadEmbeddedModel();
  if (!loaded.ok) throw new Error("no model");
  const { identity: own } = loaded.value;
  const other = calibrationOf("somebody/else@512");
  expect(other.isCalibrated).toBe(false);
  expect(other.similarityFloor).toBeGreaterThan(own.similarityFloor);
  expect(other.lexicalWeight).toBeGreaterThan(own.lexicalWeight);
});
