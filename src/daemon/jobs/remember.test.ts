/** Memories of other programs, held against what is known. */
import { expect, test } from "bun:test";
import { openTestWorker } from "../../../test/support/worker.ts";

type App = ReturnType<typeof openTestWorker>;

const imported = { origin: "import", maker: "import" } as const;

const ports = (app: App): void => {
  for (let port = 7000; port < 7100; port += 1)
    app.remember(
      `The staging database of the deskly warehouse cluster listens behind gateway ${port}`,
      imported,
    );
};

test.each([
  "The staging database of the deskly warehouse cluster listens behind gateway 7003",
  "the staging database of the deskly warehouse cluster listens behind gateway 7003.",
  "User: The staging database of the deskly warehouse cluster listens behind gateway 7003",
])("a record that says what is known is known, whatever resembles it: %s", (line) => {
  using app = openTestWorker();
  ports(app);
  const before = app.memories().length;
  const node = app.remember(line, { ...imported, evidence: evidenceOf(line) });
  expect(node).toMatchObject({
    l0: "The staging database of the deskly warehouse cluster listens behind gateway 7003",
  });
  expect(app.memories()).toHaveLength(before);
});

test("a record that is like others, and says something else, stands beside them", () => {
  using app = openTestWorker();
  ports(app);
  const before = app.memories().length;
  app.remember(
    "The staging database of the deskly warehouse cluster listens behind gateway 7100",
    imported,
  );
  expect(app.memories()).toHaveLength(before + 1);
});

test("a record of what was replaced since does not bring it back", () => {
  using app = openTestWorker();
  const line = "The staging database of the deskly warehouse cluster listens behind gateway 5544";
  const old = app.remember(line, imported);
  const newer = app.remember(
    "The staging database of the deskly warehouse cluster listens behind gateway 6000",
    {
      atMs: app.clock.nowMs(),
      replaces: [old?.id ?? 0],
    },
  );
  const again = app.remember(line, imported);
  expect(again?.id).toBe(old?.id);
  expect(app.store.nodes.byId(old?.id ?? 0)?.status).toBe("superseded");
  expect(app.store.nodes.byId(newer?.id ?? 0)?.status).toBe("active");
});

const evidenceOf = (quote: string) => ({ sessionId: "s-9", turn: null, line: null, quote });
