/** The hidden checks are fair: each refuses the repository as it is and takes a right answer. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTasks, verdictOf, writeFiles } from "./task.ts";

const tasks = readTasks();

test("there are twelve tasks that need what was said, four that don't, four in which it is outdated", () => {
  const groups = Object.groupBy(tasks, ({ group }) => group);
  expect([groups.needed?.length, groups.irrelevant?.length, groups.stale?.length]).toEqual([
    12, 4, 4,
  ]);
});

for (const task of tasks)
  test(`${task.name}: the repository alone fails, a right answer passes`, () => {
    const folder = mkdtempSync(join(tmpdir(), "continuity-task-"));
    try {
      writeFiles(folder, task.files);
      expect(verdictOf(task, folder)).toBe("failed");
      writeFiles(folder, task.solution);
      expect(verdictOf(task, folder)).toBe("solved");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
