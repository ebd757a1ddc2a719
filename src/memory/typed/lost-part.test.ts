/** Parts of a replaced memory that its successor does not say. */
import { expect, test } from "bun:test";
import { lostPart, withPart } from "./lost-part.ts";

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
    "masts may go 80",
  ],
  [
    "steady 30 in winter, the office wants it (agent: pump rate)",
    "steady 40 in winter",
    "the office wants it",
  ],
  // The agent's wording is not the user's word.
  [
    'Pumps stop at night, as Imke wants (the user: "no pumps at night")',
    "no pumps from 8 to 6",
    "",
  ],
  ["泵使用旧镜像，没有外网", "泵使用新镜像", "没有外网"],
])("%s → %s: %s", (old, told, lost) => {
  expect(lostPart(old, told)).toBe(lost);
});

test.each([
  ["the tide queue runs on NATS", "the tide queue runs on Kafka since March"],
  ["Builds are kept 14 days", "Builds are kept 21 days, the office wants it"],
  ["lobby takes 4", "so the lobby takes 6, ok"],
  ["Open on 2026-06-13: the hull leaks", "the hull leaked at the keel, a patch cured it"],
])("a value that changed is no part: %s → %s", (old, told) => {
  expect(lostPart(old, told)).toBe("");
});

test("what the agent said of an older memory stays in its label, and is no part of the user's words later", () => {
  const said = "tugs carry eight now";
  const once = withPart(said, "crew list (deck.csv) is read at dawn", "agent");
  expect(once).toBe("tugs carry eight now (agent: crew list deck.csv is read at dawn)");
  expect(withPart(once, "no pets", "agent")).toBe(
    "tugs carry eight now (agent: crew list deck.csv is read at dawn; no pets)",
  );
  expect(withPart(once, "no pets", "user")).toBe(
    "tugs carry eight now; no pets (agent: crew list deck.csv is read at dawn)",
  );
  for (const old of [once, `${said} (agent: crew list (deck.csv) is read at dawn)`])
    expect(lostPart(old, said)).toBe("");
});
