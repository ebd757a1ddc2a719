import { expect, test } from "bun:test";
import { openTestService, testNowMs } from "../../../test/support/service.ts";

test("being shown and being used are two things", () => {
  using t = openTestService();
  for (const name of ["a", "b", "c"]) t.add({ uri: `mem://user/entities/${name}`, l0: name });
  const shown = (name: string, channel: "start" | "prompt" | "said") => ({
    sessionId: "s",
    nodeId: t.store.nodes.byUri(`mem://user/entities/${name}`)?.id ?? 0,
    uri: `mem://user/entities/${name}`,
    channel,
    atMs: testNowMs,
  });
  t.store.exposure.add([
    shown("a", "start"),
    shown("a", "prompt"),
    shown("b", "prompt"),
    shown("c", "said"),
  ]);
  t.service.read("mem://user/entities/b", { use: true, nowMs: testNowMs });
  t.service.read("mem://user/entities/b", { use: true, nowMs: testNowMs });
  const { surfaced, used } = t.service.stats(1);
  expect(surfaced).toEqual({ memories: 2, shown: 3, hints: 0 });
  expect(used).toEqual({ memories: 1, uses: 2, never: 2 });
});

test("settings are told and changed, but not what names a program", () => {
  using t = openTestService();
  expect(t.service.settings()).toMatchObject({
    ok: true,
    value: { items: [{}, { editable: false }] },
  });
  expect(t.service.setSetting("inject.prompt", "off")).toMatchObject({
    ok: true,
    value: { value: '"off"', source: "file" },
  });
  expect(t.service.setSetting("llm.claude-cli.path", "/bin/sh")).toEqual({
    ok: false,
    error: { type: "config.locked", key: "llm.claude-cli.path" },
  });
  expect(t.service.setSetting("inject.prompt", "maybe")).toMatchObject({
    error: { type: "config.value" },
  });
  expect(t.service.setSetting("no.such", "1")).toMatchObject({
    error: { type: "config.unknown-key" },
  });
  expect(t.readOnly.setSetting("inject.prompt", "off")).toMatchObject({
    error: { type: "service.read-only" },
  });
});
