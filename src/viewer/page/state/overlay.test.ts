import { expect, test } from "bun:test";
import { patch, seen } from "./overlay.ts";

const memory = { uri: "mem://user/profile/name", l0: "Ada", pinned: false };

test("a change shows at once, and the memory is as it was when the change is taken away", () => {
  const takeBack = patch(memory.uri, { l0: "Ada L." });
  expect(seen(memory)).toEqual({ ...memory, l0: "Ada L." });
  expect(seen({ ...memory, uri: "mem://user/profile/other" }).l0).toBe("Ada");
  takeBack();
  expect(seen(memory)).toEqual(memory);
});

test("the latest change wins, and one that is taken away leaves none behind that went before it", () => {
  const first = patch(memory.uri, { pinned: true });
  const second = patch(memory.uri, { pinned: false, l0: "Ada L." });
  expect(seen({ ...memory, pinned: true })).toMatchObject({ pinned: false, l0: "Ada L." });
  first();
  expect(seen(memory).l0).toBe("Ada L.");
  second();
  expect(seen({ ...memory, pinned: true }).pinned).toBe(true);
});
