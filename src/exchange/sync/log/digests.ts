/** Collects and takes in the digests of sessions: told once, and again when something of it was forgotten. */
import { type DigestEntry, type SessionDigest, wireOf } from "#domain";
import { sha256 } from "#kit";
import { type ExchangeContext, nextStamp, numberAt } from "./claim.ts";
import { isUnwanted } from "./forgetting.ts";

/** Digests looked at in one step. */
const perStepMax = 200;

/** Digests of another device are marked; it tells them itself. */
const isOfAnother = ({ store }: ExchangeContext, session: string): boolean =>
  store.admin.getMeta(`sync.digest.${session}`) !== null;

/** True = there may be more. */
export function collectDigests(deps: ExchangeContext, device: string): boolean {
  const { store } = deps;
  const forgets = store.activity.forgets();
  // Forgetting takes lines out of digests that stand where they stood.
  const isAnew = forgets !== numberAt(deps, "sync.forgets");
  const after = isAnew ? 0 : numberAt(deps, "sync.digest");
  store.admin.setMeta("sync.forgets", `${forgets}`);
  const found = store.sync.digestsAfter(after, perStepMax);
  for (const { digest } of found)
    if (!isOfAnother(deps, digest.session.id)) tellDigest(deps, device, digest);
  const last = found.at(-1)?.id ?? store.sync.lastDigest();
  store.admin.setMeta("sync.digest", `${last}`);
  return found.length === perStepMax;
}

function tellDigest({ store }: ExchangeContext, device: string, digest: SessionDigest): void {
  const name = `sync.told.${digest.session.id}` as const;
  const hash = sha256(JSON.stringify(wireOf(digest)));
  const [told = "", before = ""] = store.admin.getMeta(name)?.split(" ") ?? [];
  if (before === hash) return;
  const stamp = nextStamp(digest.atMs, [told], device);
  store.sync.add({ v: 1, kind: "digest", stamp, ...digest }, false);
  store.admin.setMeta(name, `${stamp} ${hash}`);
}

/** Lines that were forgotten are left out, though the device that made the digest has not heard of it. */
export function takeDigest(deps: ExchangeContext, entry: DigestEntry): void {
  const fields = Object.fromEntries(
    Object.entries(entry.fields).map(([name, value]) => [name, wanted(deps, value)]),
  );
  deps.store.sync.putDigest({ ...entry, l0: wantedText(deps, entry.l0), fields });
}

const wanted = (deps: ExchangeContext, value: unknown): unknown =>
  typeof value === "string"
    ? wantedText(deps, value)
    : Array.isArray(value)
      ? value.filter((one) => typeof one !== "string" || wantedText(deps, one) !== "")
      : value;

const wantedText = (deps: ExchangeContext, text: string): string =>
  isUnwanted(deps, text)
    ? ""
    : text
        .split("\n")
        .filter((line) => !isUnwanted(deps, line.replace(/^[\s*-]+/, "")))
        .join("\n");
