/** Reads everything that the carrier holds, and says what does not fit. Changes nothing. */
import type { SyncHead } from "#domain";
import { namesIn, type Carrier } from "./carrier.ts";
import { open } from "./exchange.ts";
import { segmentAt, segmentName, type Segment } from "./segment.ts";
import { damagedDevices, type SpaceState } from "./space.ts";

interface VerifyReport {
  readonly segments: number;
  readonly bytes: number;
  /** Each in a line for a person. */
  readonly problems: readonly string[];
}

interface Verifying {
  readonly carrier: Carrier;
  readonly state: SpaceState;
  readonly heads: readonly SyncHead[];
  readonly problems: string[];
  /** The last sound segment of each device. */
  readonly ends: Map<string, { readonly seq: number; readonly hash: string }>;
  /** The claims of devices to have seen segments of others. */
  readonly seen: { readonly by: string; readonly device: string; readonly seq: number }[];
}

export async function verifySpace(
  carrier: Carrier,
  state: SpaceState,
  heads: readonly SyncHead[],
): Promise<VerifyReport> {
  const work: Verifying = { carrier, state, heads, problems: [], ends: new Map(), seen: [] };
  let segments = 0;
  let bytes = 0;
  for await (const name of namesIn(carrier, "log/")) {
    segments += 1;
    bytes += await verifySegment(work, name);
  }
  findMissing(work);
  work.problems.push(...(await damagedDevices(carrier, state, true)));
  return { segments, bytes, problems: [...new Set(work.problems)] };
}

/** `verifySegment` checks a segment and gives its bytes. */
async function verifySegment(work: Verifying, name: string): Promise<number> {
  const { carrier, state, problems } = work;
  const at = segmentAt(name);
  const content = await carrier.get(name);
  const opened = at === null ? null : await open(state, { name, ...at, bytes: content });
  if (at === null || opened === null) problems.push(`${name}: no segment has such a name`);
  else if (typeof opened === "string") problems.push(`${name}: ${opened}`);
  else fit(work, { name, ...at }, opened);
  return content?.length ?? 0;
}

/** Does a sound segment follow the one before, and is it the one that was read? */
function fit(
  { heads, problems, ends, seen }: Verifying,
  { name, device, seq }: { readonly name: string; readonly device: string; readonly seq: number },
  { head, hash }: Segment,
): void {
  const last = ends.get(device) ?? { seq: 0, hash: "" };
  if (seq !== last.seq + 1) problems.push(`${segmentName(device, last.seq + 1)}: it is missing`);
  else if (head.prev !== last.hash) problems.push(`${name}: it does not follow the one before it`);
  const read = heads.find((one) => one.device === device);
  if (read?.seq === seq && read.hash !== hash)
    problems.push(`${name}: it is not the one that this device has read`);
  for (const [other, [upTo]] of Object.entries(head.seen))
    seen.push({ by: device, device: other, seq: upTo });
  ends.set(device, { seq, hash });
}

/** Segments that this device, or another, has read before. */
function findMissing({ heads, problems, ends, seen }: Verifying): void {
  const endOf = (device: string): number => ends.get(device)?.seq ?? 0;
  for (const { device, seq } of heads)
    if (endOf(device) < seq)
      problems.push(`device ${device}: its segments end before ${seq}, which this device has read`);
  const isRead = (device: string, seq: number): boolean =>
    heads.some((head) => head.device === device && head.seq >= seq);
  for (const { by, device, seq } of seen)
    if (endOf(device) < seq && !isRead(device, seq))
      problems.push(
        `device ${device}: device ${by} has read its segment ${seq}, which is not there`,
      );
}
