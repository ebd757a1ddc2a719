/** Guards the gate against a change of features without a new fit: weights and labelled prompts belong together. */
import { expect, test } from "bun:test";
import { composePrompt } from "#memory";
import { gateFeatures } from "../../src/memory/injection/prompt-features.ts";
import { readLabelled } from "./labelled.ts";
import { openEmbedder, openWorkspace } from "./memory.ts";

const labelled = readLabelled();
const embedder = openEmbedder();
using workspace = openWorkspace(embedder, labelled, labelled.projects.slice(0, 3));
const results = labelled.prompts
  .filter(({ project }) => labelled.projects.slice(0, 3).includes(project))
  .map(({ project, prompt, wants }) => {
    const evidence = workspace.evidence(project, prompt);
    const { nodeIds } = composePrompt(evidence);
    const found = wants.filter((id) => nodeIds.includes(workspace.nodeIdOf(id) ?? -1)).length;
    return { wants, isSilent: nodeIds.length === 0, found, features: gateFeatures(evidence) };
  });

const share = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

test("prompts that want nothing mostly get nothing", () => {
  const quiet = results.filter(({ wants }) => wants.length === 0);
  expect(quiet.length).toBeGreaterThan(40);
  expect(share(quiet.map(({ isSilent }) => (isSilent ? 1 : 0)))).toBeGreaterThan(0.85);
});

test("prompts that want memory mostly get the right one", () => {
  const asking = results.filter(({ wants }) => wants.length > 0);
  expect(asking.length).toBeGreaterThan(40);
  expect(share(asking.map(({ wants, found }) => found / wants.length))).toBeGreaterThan(0.65);
});

test("every weight belongs to a feature", () => {
  const features = Object.keys(results[0]?.features ?? {});
  for (const name of Object.keys(embedder.identity.gate.weights)) expect(features).toContain(name);
});
