/** Lets a browser in: the link that opens the viewer, and the bearer token of this home. */
import { rmSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { HomePaths } from "#domain";
import { type Random, readText, writeWhole } from "#kit";

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
  try {
    writeWhole(paths.viewerLink, page);
    return true;
  } catch {
    return false;
  }
}

// The bearer token of this home: 256 random bits in a 0600 file, made once.

const tokenChars = 64;

export function ensureToken(paths: HomePaths, random: Random): void {
  try {
    writeFileSync(paths.token, `${random.hex(tokenChars)}\n`, { mode: 0o600, flag: "wx" });
  } catch {
    // There is one already; a home that cannot be written shows itself when the database is opened.
  }
}

/** Puts a new token in the place of the old one, which holds no longer. False when it cannot be written. */
export function rotateToken(paths: HomePaths, random: Random): boolean {
  try {
    writeWhole(paths.token, `${random.hex(tokenChars)}\n`);
    return true;
  } catch {
    return false;
  }
}

/** Null without a token: nobody gets in over TCP. */
export const readToken = (paths: HomePaths): string | null => readText(paths.token)?.trim() || null;
