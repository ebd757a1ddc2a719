/** A preview as of a time in the past: what was known then, in the words of then. */
import { expect, test } from "bun:test";
import { defaultSettings, type MemoryNode, type RevisionAction } from "#domain";
import { loadEmbeddedModel } from "#embed";
import { msPerDay } from "#kit";
import { openTestService, testNowMs, type TestService } from "../../../test/support/service.ts";
import { createContextPreview } from "./start-preview.ts";

const uri = "mem://user/entities/staging-port";
const asked = "which port does the staging database of the harbour listen on?";
const daysBefore = (days: number): number => testNowMs - days * msPerDay;

function previewOf(t: TestService) {
  const embedder = loadEmbeddedModel();
  if (!embedder.ok) throw new Error(embedder.error.type);
  const { finder } = t.deps as unknown as {
    finder: Parameters<typeof createContextPreview>[0]["finder"];
  };
  const preview = createContextPreview(
    { store: t.store, finder, embedder: embedder.value },
    () => defaultSettings,
    () => null,
  );
  return (atMs: number | null): string => {
    const ask = {
      sessionId: "preview",
      project: "harbour",
      nowMs: atMs ?? testNowMs,
      isPast: atMs !== null,
    };
    return `${preview.previewStart(ask).text}\n${preview.previewPrompt({ ...ask, prompt: asked }).text}`;
  };
}

function node(t: TestService, at: string): MemoryNode {
  const found = t.store.nodes.byUri(at);
  if (found === null) throw new Error(`no ${at}`);
  return found;
}

const by = (action: RevisionAction, atMs: number) =>
  ({ action, atMs, by: "test", reason: "given" }) as const;
const portIs = (port: number): string =>
  `The staging database of the harbour listens on port ${port}`;

function learn(t: TestService, at: string, port: number, daysAgo: number): void {
  const draft = { uri: at, l0: portIs(port), category: "entities", project: "harbour" } as const;
  t.store.nodes.insert(
    { ...draft, origin: "user", maker: "manual" },
    by("create", daysBefore(daysAgo)),
  );
  while (t.worker.embedMissing() > 0);
}

/** Twenty days ago the port was 6544; ten days ago it became 7001. */
function replaced(): TestService {
  const t = openTestService();
  const now = `${uri}-2`;
  learn(t, uri, 6544, 20);
  learn(t, now, 7001, 10);
  const old = node(t, uri).id;
  const atMs = daysBefore(10);
  t.store.nodes.update(old, { status: "superseded", validTo: atMs }, by("supersede", atMs));
  t.store.nodes.relate(node(t, now).id, old, "supersedes", atMs);
  return t;
}

test("a value that was replaced since holds again, and what replaced it is not known yet", () => {
  using t = replaced();
  const told = previewOf(t);
  expect(told(null)).toContain("port 7001");
  expect(told(daysBefore(15))).toContain("port 6544");
  expect(told(daysBefore(15))).not.toContain("7001");
  expect(told(daysBefore(5))).toContain("port 7001");
});

test("before anything was learnt nothing is told", () => {
  using t = replaced();
  expect(previewOf(t)(daysBefore(30))).not.toMatch(/6544|7001/);
});

test("a memory that was edited since says what it said then, and one that was retracted is there", () => {
  using t = openTestService();
  learn(t, uri, 6544, 20);
  const { id } = node(t, uri);
  t.store.nodes.update(id, { l0: portIs(7001) }, by("edit", daysBefore(10)));
  t.store.nodes.update(id, { status: "retracted" }, by("retract", daysBefore(5)));
  const told = previewOf(t);
  expect(told(null)).not.toContain("port");
  expect(told(daysBefore(7))).toContain("7001");
  expect(told(daysBefore(15))).toContain("6544");
  expect(told(daysBefore(15))).not.toContain("7001");
});
