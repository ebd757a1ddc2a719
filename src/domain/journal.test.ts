/** Tests what people read of the maker of a change. */
import { expect, test } from "bun:test";
import { madeBy } from "./journal.ts";

const sessionId = "8c5ac4ef-0000-4000-8000-000000000001";

test.each([
  [`turn:${sessionId}:3`, "session 8c5ac4ef, turn 3", sessionId, 3],
  [`turn:${sessionId}:3:1790000000000`, "session 8c5ac4ef, turn 3", sessionId, 3],
  [`signal:${sessionId}:12`, "session 8c5ac4ef, turn 12", sessionId, 12],
  [`session:${sessionId}:1-8`, "session 8c5ac4ef", sessionId, null],
  [`narrate:${sessionId}:4`, "session 8c5ac4ef", sessionId, null],
  ["import:claude-mem", "import from claude-mem", null, null],
  ["user", "you", null, null],
  ["system", "upkeep", null, null],
])("%s made it: what is said, and where it leads", (by, name, session, turn) => {
  expect(madeBy(by)).toEqual({ name, session, turn });
});
