/**
 * `continuity sync` over the real home: keys and the carrier in this process, memories through the daemon. The daemon
 * starts the same as a process of its own when something changed.
 */
import { errorMessage, parseJson, readText, writeWhole } from "#kit";
import { readFileSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { CliFailure, isCliFailure, type SyncDevice, type SyncPort, type SyncStarted } from "#cli";
import { connectDaemon } from "#daemon";
import type { HomePaths, SyncHead, SyncReport, Context } from "#domain";
import type { Carrier, Peer, SpaceState } from "#exchange/sync";
import type { Outgoing, PeerState } from "#exchange";
import { askOver, type Start, failed, guarded, locked } from "./sync-lock.ts";
import { isSynced, statePath, teamFiles } from "./sync-schedule.ts";

/** The program's context, the way to its daemon, and the functions of the space. */
interface Here extends Context {
  readonly start: Start;
  readonly run: typeof import("#exchange/sync");
}

const resultPath = ({ sync }: HomePaths): string => join(sync, "last.json");

interface LastSync {
  readonly at: number | null;
  readonly failure: string | null;
}

export function createSync(deps: Context, start: Start): SyncPort {
  const sync = <Value>(work: (here: Here) => Promise<Value>): Promise<Value> =>
    guarded(deps, (run) => work({ ...deps, start, run }));
  return {
    init: (ask) => sync((here) => init(here, ask)),
    now: () => sync(syncAll),
    status: () => sync(status),
    devices: () => sync(devices),
    remove: (given) => sync((here) => remove(here, given)),
    verify: () =>
      sync((here) =>
        withCarrier(here, demandState(here), async (carrier, state) => {
          const { heads } = await (await peerOver(start)).state();
          return here.run.verifySpace(carrier, await refreshed(here, carrier, state), heads);
        }),
      ),
    key: () => sync(async () => shownKey(deps)),
    off: () => sync(off),
  };
}

/** `runSyncTask` is the work of the daemon's own child: nothing is started for it. Gives the exit status. */
export async function runSyncTask(deps: Context): Promise<number> {
  const running: Start = async () => {
    const client = await connectDaemon(deps.paths);
    if (client === null) throw new CliFailure("the daemon has left");
    return client;
  };
  try {
    const { received, sent } = await createSync(deps, running).now();
    process.stdout.write(`received ${received}, sent ${sent}\n`);
    return 0;
  } catch (error) {
    if (!isCliFailure(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

/** The space of this person's machines, then the teams. */
async function syncAll(here: Here): Promise<SyncReport> {
  const { paths, start } = here;
  if (teamFiles(paths).length === 0) return syncNow(here);
  const own = isSynced(paths) ? await syncNow(here) : { received: 0, sent: 0, problems: [] };
  const { syncTeams } = await import("./team-hub.ts");
  const teams = await locked(paths, () => syncTeams(here, start));
  return {
    received: own.received + teams.received,
    sent: own.sent + teams.sent,
    problems: [...own.problems, ...teams.problems],
  };
}

function readState({ paths }: Context): SpaceState | null {
  if (!isSynced(paths)) return null;
  return JSON.parse(readFileSync(statePath(paths), "utf8")) as SpaceState;
}

function demandState(deps: Context): SpaceState {
  const state = readState(deps);
  if (state !== null) return state;
  throw failed(
    "sync.off",
    "this machine does not sync",
    "run `continuity sync init file:///path/of/a/folder`",
  );
}

/** Whole or not at all: without it the space is lost to this device. */
function saveState({ paths }: Context, state: SpaceState): SpaceState {
  writeWhole(statePath(paths), JSON.stringify(state));
  return state;
}

const lastSync = ({ paths }: Context): LastSync =>
  (parseJson(readText(resultPath(paths)) ?? "") as LastSync | undefined) ?? {
    at: null,
    failure: null,
  };

async function peerOver(start: Start): Promise<Peer> {
  const ask = await askOver(start, "/api/sync");
  return {
    state: async () => (await ask({ ask: "state" })) as PeerState,
    begin: async (as) => void (await ask({ ask: "begin", ...as })),
    end: async () => void (await ask({ ask: "end" })),
    collect: async (limit) => (await ask({ ask: "collect", limit })) as never,
    sent: async (ids, head) => void (await ask({ ask: "sent", ids, head })),
    apply: async (entries, head) =>
      ((await ask({ ask: "apply", entries, head })) as { readonly ok: boolean }).ok,
  };
}

/** Credentials that the store refuses are replaced by those of the environment, once these have worked. */
async function withCarrier<Value>(
  here: Here,
  state: SpaceState,
  work: (carrier: Carrier, state: SpaceState) => Promise<Value>,
): Promise<Value> {
  const { run, env } = here;
  try {
    return await overCarrier(here, state, work);
  } catch (error) {
    const access = run.accessFor(state.url, env);
    const isOther = Object.keys(access).length > 0 && !Bun.deepEquals(access, { ...state.access });
    if (!(error instanceof run.CarrierFailure) || !error.isRefused || !isOther) throw error;
    const done = await overCarrier(here, { ...state, access }, work);
    saveState(here, { ...demandState(here), access });
    return done;
  }
}

async function overCarrier<Value>(
  { paths, env, run }: Here,
  state: SpaceState,
  work: (carrier: Carrier, state: SpaceState) => Promise<Value>,
): Promise<Value> {
  const { url } = state;
  const access = run.accessNow(url, { kept: state.access, env });
  await using carrier = await run.openCarrier({ url, access, folder: paths.sync });
  return await work(carrier, state);
}

async function refreshed(here: Here, carrier: Carrier, state: SpaceState): Promise<SpaceState> {
  const next = await here.run.refreshSpace(carrier, state);
  return next === state ? state : saveState(here, next);
}

function init(here: Here, ask: Parameters<SyncPort["init"]>[0]): Promise<SyncStarted> {
  const { paths, env, clock, random, run, start } = here;
  return locked(paths, async () => {
    if (readState(here) !== null)
      throw failed(
        "sync.on",
        "this machine syncs already",
        "see `continuity sync status`, or end it with `continuity sync off`",
      );
    const { key } = ask;
    const { url, access } = run.splitAddress(ask.url, env);
    await using carrier = await run.openCarrier({ url, access, folder: paths.sync });
    const begun = key === null ? begunSpace(here, url) : null;
    if (begun === null && key === null && (await run.isSpaceThere(carrier)))
      throw failed(
        "sync.key-needed",
        "there is a space at this address already, and joining it takes its recovery key",
        "put it into CONTINUITY_SYNC_KEY, or run this in a terminal and type it",
      );
    const nowMs = clock.nowMs();
    const joining = { url, access, name: ask.name ?? hostname(), nowMs, random };
    // With a key there should be a space: a new one in the place of a folder that is not mounted would split them.
    const state =
      key === null
        ? await createdSpace(here, carrier, begun ?? (await run.newSpace(joining)))
        : await run.joinSpace(carrier, joining, key);
    const peer = await peerOver(start);
    await peer.begin({ device: state.device, salt: state.salt });
    saveState(here, state);
    rmSync(begunPath(paths), { force: true });
    const done = await carried(here, carrier, peer);
    const { device, name } = state;
    return { url: run.shownUrl(url), device, name, is_new: key === null, ...done };
  });
}

const begunPath = ({ sync }: HomePaths): string => join(sync, "begun.json");

/** The keys of a space that this machine began to make at an address, and was cut off. */
function begunSpace({ paths }: Context, url: string): SpaceState | null {
  const state = parseJson(readText(begunPath(paths)) ?? "") as SpaceState | undefined;
  return state?.url === url ? state : null;
}

/** Its only recovery key is kept before anything is written elsewhere: without it the space could never be opened. */
function createdSpace(here: Here, carrier: Carrier, state: SpaceState): Promise<SpaceState> {
  writeWhole(begunPath(here.paths), JSON.stringify(state));
  return here.run.createSpace(carrier, state, here.clock.nowMs());
}

const syncNow = (here: Here): Promise<SyncReport> =>
  locked(here.paths, async () => {
    const state = demandState(here);
    const peer = await peerOver(here.start);
    // First: what was forgotten goes from the log whether the carrier answers or not.
    await waitingIn(peer, 1);
    return withCarrier(here, state, (carrier) => carried(here, carrier, peer));
  }).catch((error: unknown) => {
    noteFailure(here, error);
    throw error;
  });

async function carried(here: Here, carrier: Carrier, peer: Peer): Promise<SyncReport> {
  const { paths, clock, run } = here;
  const state = await refreshed(here, carrier, demandState(here));
  const { device } = await peer.state();
  // A restored backup of a time before, or a new database: everything is told and read anew.
  if (device !== state.device) await peer.begin({ device: state.device, salt: state.salt });
  const { problems, ...counts } = await run.exchange(carrier, state, peer);
  const damaged = await run.damagedDevices(carrier, state, false);
  const done = { ...counts, problems: [...damaged, ...problems] };
  const last: LastSync = { at: clock.nowMs(), failure: done.problems[0] ?? null };
  writeWhole(resultPath(paths), JSON.stringify(last));
  return done;
}

function noteFailure(deps: Context, error: unknown): void {
  const isBusy = isCliFailure(error) && error.type === "sync.busy";
  if (isBusy || !isSynced(deps.paths)) return;
  const failure = errorMessage(error);
  writeWhole(resultPath(deps.paths), JSON.stringify({ ...lastSync(deps), failure }));
}

async function status(here: Here): ReturnType<SyncPort["status"]> {
  const state = demandState(here);
  const peer = await peerOver(here.start);
  const waiting = await waitingIn(peer, waitingMax);
  const last = lastSync(here);
  return {
    url: here.run.shownUrl(state.url),
    device: state.device,
    name: state.name,
    devices: state.devices.filter(({ until }) => until === null).length,
    last_sync: last.at,
    failure: last.failure,
    waiting: waiting.entries.length,
    key_unseen: state.recoveryKey !== null,
  };
}

const waitingMax = 10_000;

/** Returns what is to be written, after everything that happened here was read. */
async function waitingIn(peer: Peer, limit: number): Promise<Outgoing> {
  let waiting = await peer.collect(limit);
  while (waiting.more) waiting = await peer.collect(limit);
  return waiting;
}

const deviceJson = (
  state: SpaceState,
  one: SpaceState["devices"][number],
  heads: readonly SyncHead[],
): SyncDevice => ({
  device: one.device,
  name: one.name,
  this: one.device === state.device,
  removed: one.until !== null,
  joined: one.at,
  segments: heads.find(({ device }) => device === one.device)?.seq ?? 0,
});

async function devices(here: Here): Promise<readonly SyncDevice[]> {
  const state = demandState(here);
  const { heads } = await (await peerOver(here.start)).state();
  return state.devices.map((one) => deviceJson(state, one, heads));
}

const remove = (here: Here, given: string): Promise<SyncDevice> =>
  locked(here.paths, () =>
    withCarrier(here, demandState(here), async (carrier, before) => {
      const state = await refreshed(here, carrier, before);
      const named = state.devices.filter(
        ({ device, name, until }) => until === null && (device === given || name === given),
      );
      const [one] = named;
      if (one === undefined || named.length > 1)
        throw failed(
          "sync.device-unknown",
          one === undefined
            ? `no device is called ${given}`
            : `several devices are called ${given}`,
          "see `continuity sync devices` for the ids",
        );
      if (one.device === state.device)
        throw failed(
          "sync.device-own",
          "this machine cannot remove itself",
          "end sync here with `continuity sync off`, and remove it from another machine",
        );
      // Its earlier entries are taken in first, so that all others count the same.
      const peer = await peerOver(here.start);
      await carried(here, carrier, peer);
      const { heads } = await peer.state();
      const left = await here.run.removeDevice(carrier, state, { device: one.device, heads });
      return deviceJson(saveState(here, left), { ...one, until: 0 }, heads);
    }),
  );

function shownKey(deps: Context): string {
  const state = demandState(deps);
  const { recoveryKey } = state;
  if (recoveryKey === null)
    throw failed(
      "sync.key-shown",
      "the recovery key is not on this machine: it was shown once, or another machine made the space",
      "if it is lost, make a new space with `continuity sync off` and `continuity sync init` at another address",
    );
  saveState(deps, { ...state, recoveryKey: null });
  return recoveryKey;
}

const off = (here: Here): Promise<void> =>
  locked(here.paths, async () => {
    demandState(here);
    await (await peerOver(here.start)).end();
    for (const path of [statePath(here.paths), resultPath(here.paths)])
      rmSync(path, { force: true });
  });
