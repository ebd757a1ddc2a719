/** Parts of a replaced memory that its successor does not say. */
import { expect, test } from "bun:test";
import { lostPart } from "./lost-part.ts";

test.each([
  [
    "pumps run bare Perl 5.30 from the image, no cpan, no modules. code there is core only",
    "image update: pumps run Perl 5.36 now, all eight",
    "no cpan; no modules; code there is core only",
  ],
  [
    "The crane's build is 4.1, from source; the office version is not installed and never will be.",
    "merge of 4.2 is done: the crane's build is 4.2 from source.",
    "the office version is not installed and never will be",
  ],
  [
    'Cap for hulls is 40 (the user: "cap for hulls is 40, masts may go 80")',
    "Cap for hulls is 30",
    "",
  ],
  [
    "steady 30 in winter, the office wants it (agent: pump rate)",
    "steady 40 in winter",
    "the office wants it",
  ],
  ["泵使用旧镜像，没有外网", "泵使用新镜像", "没有外网"],
])("%s → %s: %s", (old, told, lost) => {
  expect(lostPart(old, told)).toBe(lost);
});

test.each([
  ["the tide queue runs on NATS", "the tide queue runs on Kafka since March"],
  ["Builds are kept 14 days", "Builds are kept 21 days, the office wants it"],
  ["lobby takes 4", "so the lobby takes 6, ok"],
])("a value that changed is no part: %s → %s", (old, told) => {
  expect(lostPart(old, told)).toBe("");
});
