/**
 * Tests properties of every store and every question: searching changes nothing, and depends on
 * nothing but what is stored.
 */
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { FindQuery, FoundDocument, MemoryNode } from "#domain";
import {
  type Fixture,
  nowMs,
  openFixture,
  queryFor,
} from "../../../test/support/memory/finding.ts";

const words = "tide winch gangway rudder anchor ferry harbour diesel radar buoy".split(" ");
const sentence = fc
  .array(fc.constantFrom(...words), { minLength: 2, maxLength: 5 })
  .map((some) => some.join(" "));
const sentences = fc.uniqueArray(sentence, { minLength: 3, maxLength: 12 });
const question = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 })
  .map((some) => some.join(" "));
/** Each opens a store or two: a handful finds what a hundred would. */
const runs = { numRuns: 10 } as const;

/** Both ways of asking, as they would be shown. */
const answers = (fixture: Fixture, query: FindQuery): string =>
  JSON.stringify([fixture.finder.find(query), fixture.finder.search(query)]);

const uris = (found: readonly FoundDocument[]): readonly string[] => found.map(({ uri }) => uri);
const both = (fixture: Fixture, query: FindQuery): readonly string[] => [
  ...uris(fixture.finder.find(query)),
  ...fixture.finder.search(query).hits.map(({ document }) => document.uri),
];

/** Everything a node is, so that any change would show. */
const dump = ({ store }: Fixture): string =>
  JSON.stringify(store.nodes.list({ projects: null }, "uri", { limit: 100 }));

describe("searching", () => {
  test("is read-only: the same question twice gives the same bytes, and no node changes", () => {
    fc.assert(
      fc.property(sentences, question, (texts, asked) => {
        using fixture = openFixture();
        texts.forEach((l0) => fixture.add(l0));
        const before = dump(fixture);
        const first = answers(fixture, queryFor(asked));
        expect(answers(fixture, queryFor(asked))).toBe(first);
        expect(dump(fixture)).toBe(before);
      }),
      runs,
    );
  });

  test("gives the same whatever the order in which memories were written", () => {
    fc.assert(
      fc.property(sentences, question, fc.boolean(), (texts, asked, isTwoProjects) => {
        const given = texts.map((l0, i) => ({
          l0,
          uri: `mem://agent/cases/m${i}`,
          project:
            isTwoProjects && i % 2 === 0 ? "github.com/fjord/other" : "github.com/fjord/ferry",
        }));
        const asWritten = (some: typeof given): string => {
          using fixture = openFixture();
          some.forEach(({ l0, ...extra }) => fixture.add(l0, extra));
          return both(fixture, queryFor(asked)).join("\n");
        };
        expect(asWritten(given.toReversed())).toBe(asWritten(given));
      }),
      runs,
    );
  });

  test("finds retracted text by no path: words, meaning, neighbours, siblings, links", () => {
    fc.assert(
      fc.property(sentences, fc.nat(), (texts, pick) => {
        using fixture = openFixture();
        const nodes = texts.map((l0) => fixture.add(l0));
        const gone = nodes[pick % nodes.length];
        const friend = nodes[(pick + 1) % nodes.length];
        if (gone === undefined || friend === undefined) return;
        fixture.store.nodes.relate(friend.id, gone.id, "related", nowMs);
        const cause = { atMs: nowMs, action: "retract", by: "test", reason: "test" } as const;
        fixture.store.nodes.retract(gone.id, cause);
        for (const asked of [gone.l0, friend.l0, gone.uri, words.join(" ")])
          expect(both(fixture, queryFor(asked))).not.toContain(gone.uri);
        const options = { projects: null, nowMs, limit: 50 };
        const near = fixture.finder.neighbours(gone.l0, options);
        expect(near.map(({ node }) => node.uri)).not.toContain(gone.uri);
      }),
      runs,
    );
  });

  test("never ranks what was superseded above what superseded it", () => {
    fc.assert(
      fc.property(sentences, fc.nat(), question, (texts, pick, asked) => {
        using fixture = openFixture();
        const nodes = texts.map((l0) => fixture.add(l0, { importance: 1 + (l0.length % 5) }));
        const old = nodes[pick % nodes.length];
        const heir = nodes[(pick + 1) % nodes.length];
        const last = nodes[(pick + 2) % nodes.length];
        if (old === undefined || heir === undefined || last === undefined) return;
        fixture.supersede(old, heir);
        fixture.supersede(heir, last);
        const isBelow = (found: readonly string[], one: MemoryNode): boolean => {
          const at = found.indexOf(one.uri);
          return at < 0 || found.indexOf(last.uri) < at;
        };
        for (const text of [asked, old.l0, heir.l0]) {
          const find = uris(fixture.finder.find(queryFor(text)));
          const search = fixture.finder.search(queryFor(text)).hits.map((hit) => hit.document.uri);
          for (const found of [find, search])
            for (const one of [old, heir])
              if (found.includes(last.uri)) expect(isBelow(found, one)).toBe(true);
        }
      }),
      runs,
    );
  });

  test("takes any Unicode string", () => {
    using fixture = openFixture();
    words.forEach((word) => fixture.add(`the ${word} of the harbour`));
    const any = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.constantFrom(
        'NEAR("a" b, 3)',
        "l0:x* AND -y",
        "'; DROP TABLE mem_nodes; --",
        "\ud800",
        "\0",
      ),
    );
    fc.assert(
      fc.property(any, (text) => {
        expect(fixture.finder.find(queryFor(text)).length).toBeLessThanOrEqual(10);
        expect(fixture.finder.search(queryFor(text)).hits.length).toBeLessThanOrEqual(10);
      }),
      { numRuns: 150 },
    );
  });
});
