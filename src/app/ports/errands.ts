/**
 * Opens the viewer in the user's browser, and does what it asks. What the viewer asks this program to do beside the
 * daemon: look after its installation, and bring in what other programs recorded. Each is the command itself in a
 * process of its own, so that it does what it does in a terminal.
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { ImportStateJson } from "#api";
import { daemonEnvironment } from "#hooks";
import { msPerMinute } from "#kit";
import type { Errands } from "#api/server";
import type { Context, HomePaths } from "#domain";

/** Gigabytes of transcripts take some minutes. */
const importMsMax = 120 * msPerMinute;
const doctorMsMax = msPerMinute;
const messageCharsMax = 500;

const idle: ImportStateJson = { state: "none", from: null, read: 0, created: 0, message: "" };

/** Undefined where the program does not know how to start itself. */
export function createErrands({ command, env, paths }: Context): Errands | undefined {
  if (command === undefined) return undefined;
  const run = async (words: readonly string[], timeout: number): Promise<Ended> => {
    const child = Bun.spawn([...command, ...words], {
      cwd: paths.root,
      env: daemonEnvironment(env, paths.root),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout,
    });
    const [out, fault] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { status: await child.exited, out, fault };
  };
  let state = idle;
  const bring = async (from: string): Promise<void> => {
    try {
      const ended = await run(["import", "--from", from, "--json"], importMsMax);
      state = stateOf(from, ended);
    } catch (error) {
      // The program could not be started at all.
      state = { ...idle, from, state: "failed", message: String(error).slice(0, messageCharsMax) };
    }
  };
  return {
    doctor: async () =>
      readJson((await run(["doctor", "--json", "--no-self-test"], doctorMsMax)).out),
    startImport: (from) => {
      if (state.state !== "running") {
        state = { ...idle, from, state: "running" };
        void bring(from);
      }
      return state;
    },
    importState: () => state,
  };
}

interface Ended {
  readonly status: number;
  readonly out: string;
  readonly fault: string;
}

function stateOf(from: string, { status, out, fault }: Ended): ImportStateJson {
  const said = readJson(out);
  const { read, created } = typeof said === "object" && said !== null ? countsIn(said) : noCounts;
  const message = fault
    .trim()
    .replace(/^error: /, "")
    .slice(0, messageCharsMax);
  return { state: status === 0 ? "done" : "failed", from, read, created, message };
}

const noCounts = { read: 0, created: 0 };

const countsIn = (said: object): typeof noCounts => ({
  read: "read" in said && typeof said.read === "number" ? said.read : 0,
  created: "created" in said && typeof said.created === "number" ? said.created : 0,
});

/** Null for what is no JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null; // JSON.parse is the only thing here that throws.
  }
}

// Opens the viewer in the user's browser, whatever the desktop calls that.

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Without a desktop `xdg-open` would look for a browser that writes over the terminal. */
const desktopVariables = ["DISPLAY", "WAYLAND_DISPLAY"];

/**
 * Opens a link that holds a code. Every account can read the arguments of a process, so the browser is given the path
 * of a file that only this user can read, and the file leads on. False when there is no desktop, nothing that opens
 * files, or the file cannot be written. Does not wait for the browser.
 */
export function openBrowser(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  paths: HomePaths,
): boolean {
  const isDesktop = desktopVariables.some((name) => (env[name] ?? "") !== "");
  const opener = openers[process.platform] ?? (isDesktop ? ["xdg-open"] : null);
  const [name = "", ...args] = opener ?? [];
  const program = Bun.which(name, { PATH: env["PATH"] ?? "" });
  if (program === null || !writeLink(url, paths)) return false;
  Bun.spawn([program, ...args, pathToFileURL(paths.viewerLink).href], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  }).unref();
  return true;
}

/** The link was used, or its daemon is gone. */
export const removeLink = (paths: HomePaths): void => rmSync(paths.viewerLink, { force: true });

function writeLink(url: string, paths: HomePaths): boolean {
  const page =
    `<!doctype html><meta charset="utf-8"><title>Continuity</title><meta http-equiv="refresh" ` +
    `content="0;url=${Bun.escapeHTML(url)}">\n`;
  const next = `${paths.viewerLink}.new`;
  try {
    // What an interrupted run left could have another mode.
    rmSync(next, { force: true });
    writeFileSync(next, page, { mode: 0o600, flag: "wx" });
    renameSync(next, paths.viewerLink);
    return true;
  } catch {
    return false;
  }
}
