/** Orders that point back at an answer of several sentences keep what it states. All texts are invented. */
import { describe, expect, test } from "bun:test";
import { turnOf } from "../../../test/support/memory/turns.ts";
import { ordersOf } from "./orders.ts";

interface Said {
  readonly question: string;
  readonly answer: string;
  readonly order: string;
}

const keptOf = ({ question, answer, order }: Said): readonly string[] =>
  ordersOf(turnOf(order, { previousPrompt: question, previousAnswer: answer })).map(
    ({ l0, origin }) => `${origin}: ${l0}`,
  );

const mobile = {
  question: "why is the login slow on mobile?",
  answer:
    "Let me check. The login is slow on mobile because the captcha script loads 2 MB before the form renders. " +
    "I deferred it. The build is green.",
};
const cause =
  "agent: The login is slow on mobile because the captcha script loads 2 MB before the form renders.";
const release = {
  question: "how do i release?",
  answer:
    "Releasing works like this:\n\n1. bump the version\n\n2. run `make tag`\n3. push the tag\n\n" +
    "CI does the rest. Let me know if you get stuck.",
};
const dump = {
  question: "how do we dump the db",
  answer:
    "You can dump it with:\n\n```bash\npg_dump -Fc harbor\n```\n\nIt took 40 seconds here. I did not restore it.",
};
const flaky = {
  question: "fix the flaky test",
  answer:
    "I fixed the flaky test. The cause: it relied on the order of a Set. I sort the ids now. Everything passes.",
};

describe("what an answer states is kept, and not how it ends", () => {
  test.each<[string, Said, string]>([
    ["the cause that was asked for", { ...mobile, order: "great, remember that" }, cause],
    [
      "below words that only take it up",
      { ...mobile, order: "ah, that explains it. remember that" },
      cause,
    ],
    ["behind words that agree", { ...mobile, order: "ok good to know, remember it" }, cause],
    [
      "for more than this",
      { ...mobile, order: "yes, and remember that for the other forms" },
      cause,
    ],
    [
      "the thing that the order names",
      { ...flaky, order: "nice! please remember the cause" },
      "agent: The cause: it relied on the order of a Set.",
    ],
    [
      "a list with its introduction",
      { ...release, order: "remember these steps" },
      "agent: Releasing works like this: bump the version; run `make tag`; push the tag",
    ],
    [
      "a command",
      { ...dump, order: "works, remember this command" },
      "agent: You can dump it with: pg_dump -Fc harbor",
    ],
    [
      "German",
      {
        question: "warum ist die CI so langsam?",
        answer:
          "Die CI ist langsam, weil der Cache-Schlüssel das Datum enthält. Ich habe ihn geändert. Der Lauf ist grün.",
        order: "ah ok, macht Sinn. merk dir das bitte",
      },
      "agent: Die CI ist langsam, weil der Cache-Schlüssel das Datum enthält.",
    ],
    [
      "French",
      {
        question: "quel est le format des identifiants clients ?",
        answer:
          "Les identifiants clients ont la forme CL-AAAA-NNNNN. J'ai vérifié. Veux-tu que j'ajoute un test ?",
        order: "parfait, note-le",
      },
      "agent: Les identifiants clients ont la forme CL-AAAA-NNNNN.",
    ],
    ["the reason", { ...mobile, order: "oh wow ok. remember why" }, cause],
    [
      "Chinese",
      {
        question: "为什么登录会超时？",
        answer: "我查了一下。登录超时是因为 LDAP 查询没有走索引。我加了索引。",
        order: "好的，记住这个原因",
      },
      "agent: 登录超时是因为 LDAP 查询没有走索引。",
    ],
    [
      "Japanese",
      {
        question: "ログはどこに保存されますか？",
        answer: "ログは /var/log/kite/app.log に保存されます。確認しました。他に何かありますか？",
        order: "なるほど、覚えておいて",
      },
      "agent: ログは /var/log/kite/app.log に保存されます。",
    ],
  ])("%s", (_, said, line) => expect(keptOf(said)).toEqual([line]));
});

test.each([
  ["The pier printer is on floor 3. Remember that.", "user: The pier printer is on floor 3."],
  ["We never retry POSTs - keep that in mind", "user: We never retry POSTs"],
  ["it runs nightly. remember that", "user: it runs nightly."],
  ["remember the build needs java", "user: the build needs java"],
])("what the user states themselves stays before an answer: %s", (order, line) =>
  expect(keptOf({ ...mobile, order })).toEqual([line]),
);

test("an answer that only asks gives nothing", () =>
  expect(
    keptOf({ question: "hi", answer: "Which one do you want?", order: "remember that" }),
  ).toEqual([]));

test("'keep that command in mind' keeps what the agent had said, never the words 'in mind'", () => {
  const previousAnswer = "To reset a stuck job run `php artisan queue:restart`.";
  const kept = ordersOf({ ...turnOf("works! keep that command in mind"), previousAnswer });
  expect(kept.map(({ l0 }) => l0)).toEqual([previousAnswer]);
});
