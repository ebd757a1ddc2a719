/**
 * Measures the cost of a hub in PostgreSQL with a thousand devices and millions of entries (docs/scale.md).
 *
 *   bun lab/bench/hub.ts [--projects 50] [--members 20] [--days 250] [--entries 20] [--url postgres://…]
 *
 * Every member writes one segment a day, so the defaults are 1,000 devices, 250,000 segments and 5,000,000 entries. One
 * project is real: signed, chained and encrypted. The others are its rows again, which the server cannot tell apart.
 * Without `--url` it starts a PostgreSQL of its own, without fsync, and deletes it.
 */
import { SQL } from "bun";
import { exchange, type Peer } from "../../src/exchange/sync/run/exchange.ts";
import {
  hashOf,
  newKeyPair,
  newSigningPair,
  pack,
  segmentName,
} from "../../src/exchange/sync/run/segment.ts";
import { openPostgres } from "../../src/exchange/sync/run/postgres.ts";
import { startPostgres, superPassword } from "../../test/support/sync/postgres-server.ts";
import type { SharedSpace } from "../../src/exchange/sync/run/membership.ts";
import { numberOption, option } from "../options.ts";
import { printTable } from "./report/table.ts";

const [projects, members] = [numberOption("projects", 50), numberOption("members", 20)];
const [days, entries] = [numberOption("days", 250), numberOption("entries", 20)];
const given = option("url", "");
const server = given === "" ? await startPostgres() : null;
const url = server?.url() ?? given;
const access = { PGPASSWORD: process.env["PGPASSWORD"] ?? superPassword };
const place = (space: string): string => `${url}?space=${space}`;

/** The same on every run. */
let seed = 1;
const pick = (below: number): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
};
const words = Array.from({ length: 4_000 }, () =>
  pick(2 ** 31)
    .toString(36)
    .slice(0, 3 + pick(6)),
);
const sentence = (length: number): string =>
  Array.from({ length }, () => words[pick(words.length)]).join(" ");
/** As members give them: two sentences and what belongs to them. */
const entry = (): string =>
  JSON.stringify({
    v: 1,
    id: `${pick(2 ** 31)}`.padStart(32, "0"),
    clock: 1,
    text: {
      category: "patterns",
      l0: sentence(12),
      l1: sentence(40),
      slot: null,
      tags: [sentence(1)],
      files: [`src/${sentence(1)}.ts`],
      importance: 3,
      saidAt: 1,
    },
  });

const pair = await newKeyPair();
const writers = Array.from({ length: members }, (_, n) => ({
  device: (n + 1).toString(16).padStart(8, "0"),
  sign: newSigningPair(),
}));
const team: SharedSpace = {
  space: "bench",
  device: "ffffffff",
  sign: newSigningPair(),
  epochs: [{ n: 1, ...pair }],
  devices: writers.map(({ device, sign }) => ({
    device,
    name: device,
    recipient: "",
    verify: sign.verify,
    at: 0,
    until: null,
  })),
};

const carrier = await openPostgres({ url: place("p0"), access });
const sql = new SQL(url, { password: access.PGPASSWORD, max: 1 });
const yesterday = new Map<string, { device: string; seq: number; hash: string }>();
let bytesOfOne = 0;
const fillMs = performance.now();
for (const { device, sign } of writers) {
  let prev = "";
  for (let seq = 1; seq <= days; seq += 1) {
    const head = { v: 1, space: team.space, device, seq, prev, seen: {} } as const;
    const bytes = await pack(head, Array.from({ length: entries }, entry), {
      secret: sign.secret,
      recipients: [pair.recipient],
    });
    prev = hashOf(bytes);
    bytesOfOne += bytes.length;
    await carrier.put(segmentName(device, seq), bytes);
    if (seq === days - 1) yesterday.set(device, { device, seq, hash: prev });
  }
}
for (let n = 1; n < projects; n += 1)
  await sql`INSERT INTO continuity.objects SELECT ${`p${n}`}, name, bytes, at FROM continuity.objects
    WHERE space = 'p0'`;
await sql`VACUUM ANALYZE continuity.objects`.simple();
const filledMs = performance.now() - fillMs;

/** Reads without keeping: what a store does with it is the same over every carrier. */
async function pull(heads: readonly { device: string; seq: number; hash: string }[]) {
  const start = { wall: performance.now(), cpu: process.cpuUsage() };
  const own = await openPostgres({ url: place("p0"), access });
  let taken = 0;
  const peer: Peer = {
    state: async () => ({ device: team.device, heads }),
    begin: async () => undefined,
    end: async () => undefined,
    collect: async () => ({ entries: [], more: false }),
    sent: async () => undefined,
    apply: async (some) => {
      taken += some.length;
      return true;
    },
  };
  const { problems } = await exchange(own, team, peer);
  await own[Symbol.asyncDispose]();
  if (problems.length > 0) throw new Error(problems[0]);
  const cpu = process.cpuUsage(start.cpu);
  return { taken, ms: performance.now() - start.wall, cpuMs: (cpu.user + cpu.system) / 1_000 };
}

async function median(work: () => ReturnType<typeof pull>, times: number) {
  const all = [];
  for (let n = 0; n < times; n += 1) all.push(await work());
  return (
    all.toSorted((a, b) => a.ms - b.ms)[Math.floor(times / 2)] ?? { taken: 0, ms: 0, cpuMs: 0 }
  );
}

const latest = new Map<string, { device: string; seq: number; hash: string }>();
for (const { device, seq } of yesterday.values()) {
  const bytes = await carrier.get(segmentName(device, seq + 1));
  latest.set(device, { device, seq: seq + 1, hash: hashOf(bytes ?? new Uint8Array()) });
}
await pull([...latest.values()]);
const nothing = await median(() => pull([...latest.values()]), 15);
const day = await median(() => pull([...yesterday.values()]), 15);
const first = await median(() => pull([]), 3);
const [stored] =
  await sql`SELECT sum(pg_total_relation_size(inhrelid))::float8 AS bytes FROM pg_inherits
  WHERE inhparent = 'continuity.objects'::regclass`;
const perServer = async (): Promise<number> => {
  const ends = writers.map(({ device }) => segmentName(device, days));
  const startMs = performance.now();
  const asks = 300;
  for (let n = 0; n < asks; n += 1) await carrier.ahead?.(ends);
  return (performance.now() - startMs) / asks;
};
const askMs = await perServer();

const total = projects * members * days;
const round = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
const { bytes } = stored as { readonly bytes: number };
printTable(
  ["what", "figure"],
  [
    ["devices, segments, entries", `${projects * members}, ${total}, ${total * entries}`],
    ["filled in s", round(filledMs / 1_000)],
    ["bytes of an entry as it travels", round(bytesOfOne / (members * days * entries))],
    ["MB in the database, indexes included", round(bytes / 1e6)],
    ["bytes in the database for each entry", round(bytes / (total * entries))],
    [
      "a look that finds nothing, with its connection: ms, cpu ms",
      `${round(nothing.ms)}, ${round(nothing.cpuMs)}`,
    ],
    ["the same question on an open connection: ms", round(askMs)],
    [`a day's pull (${day.taken} entries): ms, cpu ms`, `${round(day.ms)}, ${round(day.cpuMs)}`],
    [
      `first pull (${first.taken} entries): ms, cpu ms`,
      `${round(first.ms)}, ${round(first.cpuMs)}`,
    ],
  ],
);
await sql.close();
await carrier[Symbol.asyncDispose]();
await server?.stop();
process.exit(0);
