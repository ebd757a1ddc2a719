import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { limits } from "../limits.ts";
import {
  archiveUri,
  canonicalUri,
  foldLetters,
  freshLeafUri,
  type LeafPlace,
  slotOf,
  slugOf,
  spelledSlot,
} from "./slug.ts";

const canonicalShape = /^mem:\/\/(?:[a-z0-9._-]+(?:\/[a-z0-9._-]+)*)?$/;

test.each([
  ["mem://user/profile", "mem://user/profile"],
  ["user/profile", "mem://user/profile"],
  ["mem://", "mem://"],
  ["  MEM://User/Preferences/Package Manager  ", "mem://user/preferences/package-manager"],
  ["mem://user//entities/./acme-api/", "mem://user/entities/acme-api"],
  ["mem:\\\\user\\entities", "mem://user/entities"],
  ["mem://user/entities/Łódź Größe Ærø", "mem://user/entities/lodz-grosse-aero"],
  ["mem://user/entities/ﬁle ①", "mem://user/entities/file-1"],
  ["mem://user/entities/caf%C3%A9", "mem://user/entities/cafe"],
  ["mem://user/entities/50%", "mem://user/entities/50"],
])("%j is spelled %j", (text, uri) => {
  const spelled = text.startsWith("mem:\\") ? canonicalUri(text.slice(4)) : canonicalUri(text);
  expect(spelled).toBe(uri);
});

test.each([
  "mem://user/../../etc/passwd",
  "../secrets",
  "mem://user/%2e%2e/%2e%2e/etc",
  "mem://user/%252e%252e/etc",
  "mem://user/..%2f..%2fetc",
  "mem://user\\..\\..\\etc",
  "mem://user/．．/etc",
  "mem://user/‥/etc",
])("%j cannot climb out of the tree", (text) => {
  expect(canonicalUri(text)).toBeNull();
});

test("another scheme is refused, not read as a path", () => {
  expect(canonicalUri("https://example.com/x")).toBeNull();
});

test("depth and length are bounded", () => {
  expect(canonicalUri("a/b/c/d/e/f/g/h")).toBe("mem://a/b/c/d/e/f/g/h");
  expect(canonicalUri("a/b/c/d/e/f/g/h/i")).toBeNull();
  expect(canonicalUri(`user/${"x".repeat(200)}`)).toBeNull();
});

test("a canonical URI has one shape, stays within bounds, and is its own spelling", () => {
  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc
      .array(
        fc.constantFrom(
          "..",
          ".",
          "%2e",
          "%2f",
          "\\",
          "/",
          "a",
          "Ä",
          "部",
          "mem://",
          "%",
          "．",
          "℀",
          " ",
        ),
        { maxLength: 14 },
      )
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(hostile, (text) => {
      const spelled = canonicalUri(text);
      if (spelled === null) return;
      expect(spelled).toMatch(canonicalShape);
      expect(spelled.split("/")).not.toContain("..");
      expect(spelled.length).toBeLessThanOrEqual(limits.uriCharsMax);
      expect(canonicalUri(spelled)).toBe(spelled);
    }),
    { numRuns: 500 },
  );
});

test("folding leaves no accent on a Latin letter", () => {
  expect(foldLetters("İstanbul Đà Nẵng ŒUVRE straße")).toBe("istanbul da nang oeuvre strasse");
});

test.each([
  ["We always use pnpm, not npm", "use-pnpm-not-npm"],
  ["Staging database listens on port 5433", "staging-database-listens-port-5433"],
  ["The JWT refresh token's lifetime is 7 days", "jwt-refresh-token-lifetime-7-days"],
  ["Decided on 2026-02-25 to drop src/legacy/auth.ts", "decided-drop-src-legacy-auth.ts"],
  ["it", "it"],
  ["the \u001b[31mred\u001b[0m \u202elogo\u0007", "red-logo"],
])("%j is called %j", (text, slug) => {
  expect(slugOf(text)).toBe(slug);
});

test("a negation makes another slug", () => {
  expect(slugOf("use tabs")).not.toBe(slugOf("never use tabs"));
});

test("text without a Latin letter gets a short stable hash, and two such texts differ", () => {
  expect(slugOf("部署")).toMatch(/^u-[0-9a-f]{8}$/);
  expect(slugOf("部署")).toBe(slugOf("部署"));
  expect(slugOf("部署")).not.toBe(slugOf("回滚"));
  expect(slugOf("!!!")).toMatch(/^u-[0-9a-f]{8}$/);
});

test("a slug is never empty, never long, and always one segment", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      const slug = slugOf(text);
      expect(slug).toMatch(/^[a-z0-9._-]+$/);
      expect(slug.length).toBeLessThanOrEqual(limits.slugCharsMax + 9);
    }),
    { numRuns: 300 },
  );
});

const place = (over: Partial<LeafPlace> = {}): LeafPlace => ({
  category: "entities",
  project: "github.com/acme/api",
  projectName: "api",
  slug: "staging-database",
  ...over,
});
const holding =
  (...uris: readonly string[]) =>
  (uri: string): true | null =>
    uris.includes(uri) ? true : null;
const base = "mem://user/entities/staging-database";

test("a free slug is taken as it is", () => {
  expect(freshLeafUri(place(), holding())).toBe(base);
});

test("a slug that is taken carries the project's name, and then a number", () => {
  expect(freshLeafUri(place(), holding(base))).toBe(`${base}-api`);
  expect(freshLeafUri(place(), holding(base, `${base}-api`))).toBe(`${base}-api-2`);
});

test("a memory for everywhere takes a number at once", () => {
  const everywhere = place({ project: null, projectName: null });
  expect(freshLeafUri(everywhere, holding(base))).toBe(`${base}-2`);
});

test("events are named with their day, once; other categories are not", () => {
  const event = place({ category: "events", slug: "Deploy", date: "2026-02-25" });
  expect(freshLeafUri(event, holding())).toBe("mem://user/events/2026-02-25-deploy");
  expect(freshLeafUri({ ...event, slug: "2026-02-25-deploy" }, holding())).toBe(
    "mem://user/events/2026-02-25-deploy",
  );
  expect(freshLeafUri(place({ date: "2026-02-25" }), holding())).toBe(base);
});

test("every leaf URI is canonical, whatever the slug and however crowded the tree", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.string({ unit: "binary", maxLength: 100 }),
      fc.nat(3),
      (slug, projectName, crowd) => {
        let asked = 0;
        const uri = freshLeafUri(
          place({ slug, projectName, category: "events", date: "2026-02-25" }),
          () => {
            asked += 1;
            return asked > crowd ? null : true;
          },
        );
        expect(canonicalUri(uri)).toBe(uri);
      },
    ),
    { numRuns: 300 },
  );
});

test("a name that is taken without end still ends in a URI", () => {
  const uri = freshLeafUri(place(), () => true);
  expect(uri).toMatch(/^mem:\/\/user\/entities\/staging-database-[0-9a-f]{12}$/);
});

test("the archive of a session has places of its own", () => {
  expect(archiveUri({ sessionId: "A1-b2", part: "exchanges", n: 3 })).toBe(
    "mem://sessions/a1-b2/exchanges/3",
  );
  expect(archiveUri({ sessionId: "A1-b2", part: "summary" })).toBe("mem://sessions/a1-b2/summary");
});

test("a session id cannot lead out of its archive", () => {
  const uri = archiveUri({ sessionId: "../../user/profile", part: "summary" });
  expect(uri).toMatch(/^mem:\/\/sessions\/[a-z0-9._-]+\/summary$/);
  expect(canonicalUri(uri)).toBe(uri);
});

test("a slot is shown as its memory spells it, and is the same slot then", () => {
  const text =
    "Harbour plans lie in `.harbour/PLAN.md`; GitHub shows them, ~/quay does not. MAX_CRANES_PER_SHIP is 4.";
  const slots = [
    [".harbour/PLAN.md", "owner"],
    ["GitHub", "harbour"],
    ["~/quay", "the captain's log"],
    ["crane", "PLAN.mdx"],
    ["cranes per ship", "limit"],
  ] as const;
  const shown = slots.map(([subject, attribute]) => {
    const slot = slotOf(subject, attribute) ?? "";
    const spelled = spelledSlot(slot, text);
    const [again = "", rest = ""] = spelled.split(" · ");
    expect(slotOf(again, rest)).toBe(slot);
    return spelled;
  });
  expect(shown).toEqual([
    ".harbour/PLAN.md · owner",
    "GitHub · harbour",
    "~/quay · the captain's log",
    "crane · plan.mdx",
    "cranes per ship · limit",
  ]);
});
