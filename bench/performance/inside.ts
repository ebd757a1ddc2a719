/** What is measured inside a checkout's own code: search, ingest, consolidation, and the daemon's memory. */
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { homePaths } from "#domain";
import { depsFor } from "../scale/measure.ts";
import { measureResident } from "../scale/resident.ts";

const sweptMemories = 5_000;
const sweepMsMost = 20_000;
const quietMs = 40_000;
const msPerSecond = 1_000;

export type Values = Record<string, number>;

/** A checkout of this project with its program in `dist`. */
export interface Checkout {
  readonly root: string;
  readonly binary: string;
  /** Where its filled stores lie. */
  readonly folder: string;
}

const sizes = { "1k": 1_000, "5k": sweptMemories, "10k": 10_000, "100k": 100_000 } as const;
export type Size = keyof typeof sizes;

/** The modules of that checkout, whose store and engine are not ours. */
async function codeOf({ root }: Checkout) {
  const corpus = (
    (await import(join(root, "bench/scale/corpus.ts"))) as typeof import("../scale/corpus.ts")
  ).createCorpus();
  const fill = (await import(
    join(root, "bench/scale/fill.ts")
  )) as typeof import("../scale/fill.ts");
  const measure = (await import(
    join(root, "bench/scale/measure.ts")
  )) as typeof import("../scale/measure.ts");
  const embed = (await import(join(root, "src/embed/index.ts"))) as typeof import("#embed");
  const app = (await import(
    join(root, "src/app/daemon.ts")
  )) as typeof import("../../src/app/daemon.ts");
  return { corpus, fill, measure, embed, app };
}

const homeOf = ({ folder }: Checkout, size: Size): string => join(folder, size);

async function filled(checkout: Checkout, size: Size): Promise<string> {
  const home = homeOf(checkout, size);
  if (existsSync(home)) return home;
  const { corpus, fill, embed } = await codeOf(checkout);
  const model = embed.loadEmbeddedModel();
  if (!model.ok) throw new Error(model.error.type);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  fill.fillDatabase(homePaths(home).database, sizes[size], { corpus, embedder: model.value });
  return home;
}

/** Find and injection over a store of this size. */
export async function searched(checkout: Checkout, size: "1k" | "10k" | "100k"): Promise<Values> {
  const home = await filled(checkout, size);
  const { corpus, measure } = await codeOf(checkout);
  const { find, injection } = measure.measureReading(home, sizes[size], corpus);
  return { [`find ${size}`]: find.p50, [`injection ${size}`]: injection.p95 };
}

export async function ingested(checkout: Checkout): Promise<Values> {
  const home = await filled(checkout, "10k");
  const copy = `${home}-ingest`;
  cpSync(home, copy, { recursive: true, force: true });
  const { corpus, measure } = await codeOf(checkout);
  const { perSecond, acceptedPerSecond } = await measure.measureIngest(copy, corpus);
  return { ingest: perSecond, acknowledged: acceptedPerSecond };
}

/** Seconds to look at 5,000 memories for what says the same; where that takes over 20 s, from the share it did. */
export async function swept(checkout: Checkout): Promise<Values> {
  const home = await filled(checkout, "5k");
  const { app: code } = await codeOf(checkout);
  const opened = code.openApp(depsFor(home), {
    take: () => Promise.reject(new Error("nothing is sent")),
    wakeWorker: () => {},
    stop: () => {},
    port: () => null,
  });
  if (!opened.ok) throw new Error(opened.error.type);
  const app = opened.value;
  const started = performance.now();
  let looked = 0;
  for (let after: number | null = 0; after !== null && performance.now() - started < sweepMsMost;) {
    const answer = await app.fetch(
      new Request("http://localhost/api/consolidate", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ apply: false, after }),
      }),
      "socket",
    );
    const slice = (await answer.json()) as {
      readonly looked: number;
      readonly next: number | null;
    };
    if (!answer.ok) throw new Error(JSON.stringify(slice));
    looked += slice.looked;
    after = slice.next;
  }
  const ms = performance.now() - started;
  await app.close();
  return { sweep: ((ms / msPerSecond) * sweptMemories) / Math.max(1, looked) };
}

/** Megabytes of daemons that were asked and then left alone, all at once: they wait, and nothing else. */
export async function residents(checkout: Checkout): Promise<Values> {
  const { corpus } = await codeOf(checkout);
  const all = (["10k", "100k"] as const).map(async (size) => {
    const home = await filled(checkout, size);
    const given = { home, memories: sizes[size], corpus, settleMs: quietMs };
    const found = await measureResident([checkout.binary], given);
    return found === null ? {} : { [`daemon ${size}`]: found.rssMb };
  });
  return Object.assign({}, ...(await Promise.all(all))) as Values;
}
