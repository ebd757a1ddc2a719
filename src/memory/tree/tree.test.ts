import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { limits } from "../limits.ts";
import {
  archiveUri,
  canonicalUri,
  foldLetters,
  freshLeafUri,
  type LeafPlace,
  leafUri,
  slotOf,
  slugOf,
  spelledSlot,
  type Taken,
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
  expect(spelled).toEqual({ ok: true, value: uri });
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
  expect(canonicalUri(text)).toEqual({ ok: false, error: { type: "uri.escapes" } });
});

test("another scheme is refused, not read as a path", () => {
  expect(canonicalUri("https://example.com/x")).toEqual({
    ok: false,
    error: { type: "uri.foreign", scheme: "https" },
  });
});

test("depth and length are bounded and say by how much", () => {
  expect(canonicalUri("a/b/c/d/e/f/g/h").ok).toBe(true);
  expect(canonicalUri("a/b/c/d/e/f/g/h/i")).toEqual({
    ok: false,
    error: { type: "uri.too-deep", segments: 9, segmentsMax: 8 },
  });
  expect(canonicalUri(`user/${"x".repeat(200)}`)).toMatchObject({
    error: { type: "uri.too-long" },
  });
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
      if (!spelled.ok) return;
      expect(spelled.value).toMatch(canonicalShape);
      expect(spelled.value.split("/")).not.toContain("..");
      expect(spelled.value.length).toBeLessThanOrEqual(limits.uriCharsMax);
      expect(canonicalUri(spelled.value)).toEqual(spelled);
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
  (entries: Readonly<Record<string, string | null>>): Taken =>
  (uri) =>
    Object.hasOwn(entries, uri) ? { project: entries[uri] ?? null } : null;
const base = "mem://user/entities/staging-database";

test("a free slug is taken as it is", () => {
  expect(leafUri(place(), holding({}))).toBe(base);
});

test("the same slug in the same project is the same place", () => {
  expect(leafUri(place(), holding({ [base]: "github.com/acme/api" }))).toBe(base);
});

test("the same slug in another project carries the project's name", () => {
  expect(leafUri(place(), holding({ [base]: "github.com/acme/web" }))).toBe(`${base}-api`);
});

test("two projects of one name are kept apart by a number", () => {
  const taken = holding({ [base]: "github.com/acme/web", [`${base}-api`]: "github.com/other/api" });
  expect(leafUri(place(), taken)).toBe(`${base}-api-2`);
});

test("a memory for everywhere does not take a project's place", () => {
  const taken = holding({ [base]: "github.com/acme/web" });
  expect(leafUri(place({ project: null, projectName: null }), taken)).toBe(`${base}-2`);
});

test("a fresh leaf never lands on an existing one, not even of its own project", () => {
  const taken = holding({ [base]: "github.com/acme/api", [`${base}-api`]: "github.com/acme/api" });
  expect(freshLeafUri(place(), taken)).toBe(`${base}-api-2`);
});

test("events are named with their day, once; other categories are not", () => {
  const event = place({ category: "events", slug: "Deploy", date: "2026-02-25" });
  expect(leafUri(event, holding({}))).toBe("mem://user/events/2026-02-25-deploy");
  expect(leafUri({ ...event, slug: "2026-02-25-deploy" }, holding({}))).toBe(
    "mem://user/events/2026-02-25-deploy",
  );
  expect(leafUri(place({ date: "2026-02-25" }), holding({}))).toBe(base);
});

test("every leaf URI is canonical, whatever the slug and however crowded the tree", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.string({ unit: "binary", maxLength: 100 }),
      fc.nat(3),
      (slug, projectName, crowd) => {
        let asked = 0;
        const uri = leafUri(
          place({ slug, projectName, category: "events", date: "2026-02-25" }),
          () => {
            asked += 1;
            return asked > crowd ? null : { project: "other" };
          },
        );
        expect(canonicalUri(uri)).toEqual({ ok: true, value: uri });
      },
    ),
    { numRuns: 300 },
  );
});

test("a name that is taken without end still ends in a URI", () => {
  const uri = leafUri(place(), () => ({ project: "other" }));
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
  expect(canonicalUri(uri)).toEqual({ ok: true, value: uri });
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
