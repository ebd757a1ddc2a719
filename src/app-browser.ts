/** Opens an address in the user's browser, whatever the desktop calls that. */

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Without a desktop `xdg-open` would look for a browser that writes over the terminal. */
const desktopVariables = ["DISPLAY", "WAYLAND_DISPLAY"];

/** False when there is no desktop, or nothing that opens addresses. Does not wait for the browser. */
export function openBrowser(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const isDesktop = desktopVariables.some((name) => (env[name] ?? "") !== "");
  const opener = openers[process.platform] ?? (isDesktop ? ["xdg-open"] : null);
  const [program = "", ...args] = opener ?? [];
  if (Bun.which(program) === null) return false;
  Bun.spawn([program, ...args, url], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  }).unref();
  return true;
}
