/** The user's git program, with nothing of an environment but what finds it, its credentials and ssh. */
import { CarrierFailure } from "./carrier.ts";

/** No git of ours lives longer. */
export const runMs = 120_000;

export interface Ran {
  readonly code: number;
  readonly out: Uint8Array;
  /** What it said of a failure. */
  readonly said: string;
}

export interface Git {
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
export function runGit(
  folder: string,
  access: Readonly<Record<string, string>>,
  remote: string,
): Git {
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

/** What git said, as one line for a person with the next step. */
export function failureOf(remote: string, said: string): CarrierFailure {
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
