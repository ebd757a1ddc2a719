/** `git+ssh://`, `git+https://`, `git+file://`: a branch of a git remote that only grows, through the user's git. */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Carrier, CarrierFailure, isObjectName, namesMax, objectBytesMax } from "./carrier.ts";
import { hashOf } from "./segment.ts";

/** Others may push between our look and our push. */
const pushesMax = 20;
/** The time for which a listing counts as new: one sync lists several folders in a row. */
const freshMs = 1_000;
const tipRef = "refs/continuity/tip";
/** Loose objects from which the repository in this home is packed: each put leaves three. */
const looseMax = 1_000;

interface Place {
  readonly remote: string;
  readonly branch: string;
}

interface Look {
  /** Null while there is no such branch. */
  readonly tip: string | null;
  readonly blobs: ReadonlyMap<string, { readonly id: string; readonly size: number }>;
  readonly atMs: number;
}

/** A bare repository in this home holds what was fetched; no working tree is ever touched. */
export async function openGit(ask: {
  readonly url: string;
  readonly folder: string;
  readonly access: Readonly<Record<string, string>>;
}): Promise<Carrier> {
  const place = placeOf(ask.url);
  const key = hashOf(new TextEncoder().encode(`${place.remote}#${place.branch}`)).slice(0, 16);
  const folder = join(ask.folder, `git-${key}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeLeftovers(folder);
  const git = runGit(folder, ask.access, place.remote);
  await sure(git, ["init", "--quiet", "--bare", "--template=", folder]);
  let known: Look | null = null;
  const look = async (): Promise<Look> => (known = await fetched(git, place));
  const current = async (): Promise<Look> => known ?? look();
  return {
    list: async (prefix, after) => {
      const old = await current();
      const { blobs } = performance.now() - old.atMs < freshMs ? old : await look();
      return [...blobs.keys()]
        .filter((name) => name.startsWith(prefix) && name > after)
        .toSorted()
        .slice(0, namesMax);
    },
    get: async (name) => {
      const blob = (await current()).blobs.get(name) ?? (await look()).blobs.get(name);
      if (blob === undefined || blob.size > objectBytesMax) return null;
      return (await sure(git, ["cat-file", "blob", blob.id])).out;
    },
    put: async (name, bytes) => {
      for (let turn = 0; turn < pushesMax; turn += 1) {
        const seen = turn === 0 ? await current() : await look();
        if (seen.blobs.has(name)) return "exists";
        const commit = await committed(git, folder, { tip: seen.tip, name, bytes });
        known = null;
        if (await isPushed(git, place, { tip: seen.tip, commit })) return "created";
      }
      throw new CarrierFailure(
        `the branch ${place.branch} of ${place.remote} changes all the time`,
        "nothing is lost; try again later",
      );
    },
    [Symbol.asyncDispose]: async () => {
      const packing = ["-c", `gc.auto=${looseMax}`, "-c", "gc.autoDetach=false"];
      // A pack that fails now is made another time.
      await git([...packing, "gc", "--auto", "--quiet"]);
    },
  };
}

/** Locks and indexes of a git that was killed: it would keep every later one out. None of ours runs for so long. */
function removeLeftovers(folder: string): void {
  // By the clock that dated them, which is the file system's.
  const probe = join(folder, "now");
  writeFileSync(probe, "");
  const nowMs = statSync(probe).mtimeMs;
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!/(?:\.lock|^index-[0-9a-f-]+)$/.test(name)) continue;
    const path = join(folder, name);
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts !== undefined && nowMs - facts.mtimeMs > 2 * runMs) rmSync(path, { force: true });
  }
}

const tokenCharsMin = 20;

/** A password in an address would be seen in the list of processes. */
function placeOf(address: string): Place {
  const url = URL.parse(address.replace(/^git\+/, ""));
  if (url === null || !/^(?:ssh|https|file):$/.test(url.protocol) || url.pathname.length < 2)
    throw new CarrierFailure(
      "this address names no git remote",
      "write git+ssh://git@host/path.git, git+https://host/path.git or git+file:///path.git",
    );
  // A host that takes a token takes it in the place of the name too.
  const isToken = url.protocol === "https:" && url.username.length >= tokenCharsMin;
  if (url.password !== "" || isToken)
    throw new CarrierFailure(
      "the address of a git remote may hold no password",
      "leave it out, and keep the password with git's credential helper",
    );
  const branch = url.hash.slice(1) || (url.searchParams.get("branch") ?? "continuity");
  if (!/^[A-Za-z0-9](?:[\w-]|[./](?=\w))*$/.test(branch) || /\.lock(?:\/|$)/.test(branch))
    throw new CarrierFailure(`${branch} is no name of a branch`, "write #name after the address");
  url.hash = "";
  url.searchParams.delete("branch");
  return { remote: url.href, branch };
}

async function sure(git: Git, args: readonly string[], more = {}): Promise<Ran> {
  const ran = await git(args, more);
  if (ran.code !== 0) throw failureOf(git.remote, ran.said);
  return ran;
}

const lineOf = ({ out }: Ran): string => new TextDecoder().decode(out).trim();

/** The branch as it is now, whatever it was before. */
async function fetched(git: Git, { remote, branch }: Place): Promise<Look> {
  const none: Look = { tip: null, blobs: new Map(), atMs: performance.now() };
  const options = ["--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"];
  const ran = await git(["fetch", ...options, "--", remote, `+refs/heads/${branch}:${tipRef}`]);
  if (ran.code !== 0 && /couldn't find remote ref/i.test(ran.said)) return none;
  if (ran.code !== 0) throw failureOf(remote, ran.said);
  const tip = lineOf(await sure(git, ["rev-parse", "--verify", `${tipRef}^{commit}`]));
  const { blobs, others } = await filesOf(git, tip);
  // Somebody's own work: nothing is put on top of it.
  if (others > 0 && !blobs.has("space.json"))
    throw new CarrierFailure(
      `the branch ${branch} of ${remote} holds something else`,
      "write #name after the address, for a branch that is not there yet",
    );
  return { tip, blobs, atMs: performance.now() };
}

/** Our objects in a commit, and how many files are none. */
async function filesOf(
  git: Git,
  tip: string,
): Promise<{ readonly blobs: Look["blobs"]; readonly others: number }> {
  const { out } = await sure(git, ["ls-tree", "-r", "-l", "-z", "--full-tree", tip]);
  const blobs = new Map<string, { readonly id: string; readonly size: number }>();
  const lines = new TextDecoder().decode(out).split("\0").slice(0, -1);
  for (const line of lines) {
    const found = /^100644 blob (?<id>[0-9a-f]+) +(?<size>\d+)\t(?<name>.*)$/s.exec(line)?.groups;
    const { id = "", size = "", name = "" } = found ?? {};
    if (isObjectName(name)) blobs.set(name, { id, size: Number(size) });
  }
  return { blobs, others: lines.length - blobs.size };
}

/** One more file on top of what is there, with an index of its own. */
async function committed(
  git: Git,
  folder: string,
  {
    tip,
    name,
    bytes,
  }: { readonly tip: string | null; readonly name: string; readonly bytes: Uint8Array },
): Promise<string> {
  const index = join(folder, `index-${crypto.randomUUID()}`);
  try {
    const blob = lineOf(await sure(git, ["hash-object", "-w", "--stdin"], { bytes }));
    await sure(git, ["read-tree", tip ?? "--empty"], { index });
    const entry = `100644,${blob},${name}`;
    await sure(git, ["update-index", "--add", "--cacheinfo", entry], { index });
    const tree = lineOf(await sure(git, ["write-tree"], { index }));
    const parent = tip === null ? [] : ["-p", tip];
    return lineOf(await sure(git, ["commit-tree", ...parent, "-m", "memory", tree]));
  } finally {
    rmSync(index, { force: true });
  }
}

/** Only onto the commit that was seen, so nothing is ever taken from the branch. False: somebody was faster. */
async function isPushed(
  git: Git,
  { remote, branch }: Place,
  { tip, commit }: { readonly tip: string | null; readonly commit: string },
): Promise<boolean> {
  const lease = `--force-with-lease=refs/heads/${branch}:${tip ?? ""}`;
  const options = ["--quiet", "--no-verify", "--no-signed", "--recurse-submodules=no", lease];
  const ran = await git(["push", ...options, "--", remote, `${commit}:refs/heads/${branch}`]);
  if (ran.code === 0) return true;
  const isRace =
    /stale info|fetch first|non-fast-forward|cannot lock ref '[^']*': (?:is at|reference already)|failed to update ref/;
  if (isRace.test(ran.said)) return false;
  throw failureOf(remote, ran.said);
}

// The user's git program, with nothing of an environment but what finds it, its credentials and ssh.

/** No git of ours lives longer. */
const runMs = 120_000;

interface Ran {
  readonly code: number;
  readonly out: Uint8Array;
  /** Git's words about a failure. */
  readonly said: string;
}

interface Git {
  (
    args: readonly string[],
    more?: { readonly bytes?: Uint8Array; readonly index?: string },
  ): Promise<Ran>;
  readonly remote: string;
}

/** No hooks and no programs of a configuration, except for credentials and ssh. */
const settings = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.askPass=",
  "gc.auto=0",
  "maintenance.auto=false",
  "push.gpgSign=false",
  "fetch.fsckObjects=true",
  "protocol.allow=never",
  "protocol.ssh.allow=always",
  "protocol.https.allow=always",
  "protocol.file.allow=always",
].flatMap((setting) => ["-c", setting]);

const fixed = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  SSH_ASKPASS_REQUIRE: "never",
  GCM_INTERACTIVE: "never",
  GIT_AUTHOR_NAME: "continuity",
  GIT_AUTHOR_EMAIL: "continuity@localhost",
  GIT_COMMITTER_NAME: "continuity",
  GIT_COMMITTER_EMAIL: "continuity@localhost",
  LC_ALL: "C",
  TZ: "UTC",
};

/** Runs git in a session of its own: it finds no terminal to ask at, and ends with its children. */
function runGit(folder: string, access: Readonly<Record<string, string>>, remote: string): Git {
  const program = Bun.which("git", { PATH: access["PATH"] ?? "" });
  if (program === null)
    throw new CarrierFailure("git is not installed, or not in PATH", "install git", true);
  const run = async (
    args: readonly string[],
    more: { readonly bytes?: Uint8Array; readonly index?: string } = {},
  ): Promise<Ran> => {
    const index = more.index === undefined ? {} : { GIT_INDEX_FILE: more.index };
    const child = Bun.spawn([program, ...settings, ...args], {
      cwd: folder,
      env: { ...access, ...fixed, GIT_DIR: folder, ...index },
      stdin: more.bytes ?? "ignore",
      stdout: "pipe",
      stderr: "pipe",
      detached: true,
    });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      end(child.pid);
    }, runMs);
    try {
      const [out, said, code] = await Promise.all([
        new Response(child.stdout).bytes(),
        new Response(child.stderr).text(),
        child.exited,
      ]);
      return { code, out, said: isLate ? "timed out" : said };
    } finally {
      clearTimeout(timer);
    }
  };
  return Object.assign(run, { remote });
}

function end(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}

const later = "nothing is lost; sync goes on when it answers";

function failureOf(remote: string, said: string): CarrierFailure {
  if (/Host key verification failed/i.test(said))
    return new CarrierFailure(
      `the host of ${remote} is not known to ssh`,
      "connect to it once with ssh and accept its key",
    );
  const isRefused =
    /Permission denied \(|Authentication failed|could not read (?:Username|Password)|returned error: 40[13]/i;
  if (isRefused.test(said))
    return new CarrierFailure(
      `${remote} does not accept the credentials`,
      "see that `git ls-remote` works with this address, then run `continuity sync now`",
      true,
    );
  if (
    /not appear to be a git repository|Repository not found|repository '.*' not found/i.test(said)
  )
    return new CarrierFailure(
      `there is no git repository at ${remote}`,
      "create it (bare and empty), or check the address",
    );
  if (/Unable to create '.*\.lock'/.test(said))
    return new CarrierFailure(
      "another sync works with this repository, or was killed a moment ago",
      "try again in some minutes",
    );
  if (/No space left|quota|exceeds maximum allowed size/i.test(said))
    return new CarrierFailure(
      `the disk is full for ${remote}, here or there`,
      "make room; nothing is lost, and sync goes on then",
    );
  const lines = said.split("\n").map((line) => line.trim());
  const why = lines.find((line) => /^(?:fatal|error|remote|ssh):? /.test(line)) ?? lines[0];
  return new CarrierFailure(`git failed with ${remote}: ${why || "it said nothing"}`, later);
}
