import { expect, test } from "bun:test";
import { exported, type Exported } from "./export-forms.ts";

const item: Exported = {
  uri: "mem://user/entities/db",
  l0: 'Port "5433", <b>always</b>',
  category: "entities",
  project: null,
  status: "active",
  at: Date.UTC(2026, 8, 12, 10),
};

test("Markdown keeps one memory to a line, and nothing in it is markup", () => {
  expect(exported([item], "md")).toBe(
    '# Memories\n\n- Port "5433", \\<b>always\\</b>\n' +
      "  `mem://user/entities/db` (entities, everywhere, active, 2026-09-12)\n",
  );
});

test("CSV quotes, and no cell is a formula", () => {
  const rows = exported([item, { ...item, l0: '=HYPERLINK("x")' }], "csv").split("\r\n");
  expect(rows[0]).toBe('"uri","text","category","project","status","at"');
  expect(rows[1]).toContain('"Port ""5433"", <b>always</b>"');
  expect(rows[2]).toContain(`"'=HYPERLINK(""x"")"`);
});

test("JSON is read back as it was", () => {
  expect(JSON.parse(exported([item], "json"))).toEqual([
    {
      uri: item.uri,
      text: item.l0,
      category: "entities",
      project: "",
      status: "active",
      at: "2026-09-12T10:00:00.000Z",
    },
  ]);
});
