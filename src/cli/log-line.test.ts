import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileLog, stoppedClock } from "#kit";
import { recordOfLogLine } from "./commands/jobs.ts";

test("what the log writes is read back, whatever it holds", () => {
  const dir = mkdtempSync(join(tmpdir(), "continuity-log-line-"));
  const log = createFileLog({ dir, level: "info", clock: stoppedClock(0) });
  const said = 'two\nlines, a "quote", a=b and \\u0022';
  log.write("warn", "something.odd", { said, count: 3, gone: null, empty: "" });
  const line = readFileSync(join(dir, "continuity.log"), "utf8").trimEnd();
  rmSync(dir, { recursive: true });
  expect(recordOfLogLine(line)).toEqual({
    time: "1970-01-01T00:00:00.000Z",
    level: "warn",
    event: "something.odd",
    said,
    count: "3",
    gone: "null",
    empty: "",
  });
});

test.each([
  {
    name: "a line of another form stays whole",
    line: "Segmentation fault",
    record: { text: "Segmentation fault" },
  },
  {
    name: "a field cannot pose as the event",
    line: "T info real event=false",
    record: { time: "T", level: "info", event: "real" },
  },
  {
    name: "quoting that is broken stays as it is",
    line: 'T info e a="b',
    record: { time: "T", level: "info", event: "e", a: '"b' },
  },
])("$name", ({ line, record }) => {
  expect(recordOfLogLine(line)).toEqual(record);
});
