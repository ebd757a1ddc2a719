/** The user service on the real disk. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { CliFailure, type Local } from "#cli";
import { setupFiles } from "#clients";
import { serviceFile, type ServiceFile, servicePlaces, serviceSystemOf } from "#daemon";

/** Writes or removes one file, never one that somebody else wrote or changed. */
export function createServicePort(deps: {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The program as an absolute path; null when it runs from source. */
  readonly binary: string | null;
  readonly platform: string;
}): Local["service"] {
  const wanted = (): ServiceFile & { readonly path: string } => {
    const system = serviceSystemOf(deps.platform);
    if (system === null || deps.binary === null) throw noService(deps.binary);
    const home = deps.env["CONTINUITY_HOME"] ?? null;
    const path = join(deps.env["HOME"] ?? homedir(), servicePlaces[system]);
    return { path, ...serviceFile(system, { binary: deps.binary, home }) };
  };
  return {
    print: () => wanted().text,
    install: () => {
      const { path, text, start } = wanted();
      if (deps.binary !== null && !existsSync(deps.binary)) throw notInstalled();
      const before = textAt(path);
      if (before !== null && !isOurs(before)) throw foreign(path);
      if (before !== text) setupFiles.replace(path, Buffer.from(text), 0o644);
      return { path, changed: before !== text, next: start };
    },
    uninstall: () => {
      const { path, stop } = wanted();
      const before = textAt(path);
      if (before === null) return { path, changed: false, next: null };
      if (!isOurs(before)) throw foreign(path);
      setupFiles.remove(path);
      return { path, changed: true, next: stop };
    },
  };
}

/** The copy that a program from npm is called by is made by `install`. */
const notInstalled = (): CliFailure =>
  new CliFailure(
    "the service would start a program that is not there yet",
    "run `continuity install` first",
  );

const textAt = (path: string): string | null => {
  const bytes = setupFiles.read(path);
  return bytes === null ? null : Buffer.from(bytes).toString("utf8");
};

/** `isOurs` tells a unit that install wrote, whichever version and path it was for. */
const isOurs = (text: string): boolean =>
  /serve --idle-exit never|<string>--idle-exit<\/string>/.test(text) && /continuity/i.test(text);

const foreign = (path: string): CliFailure =>
  new CliFailure(
    `${path} was not created by continuity and was left unchanged`,
    "move it away and try again",
  );

const noService = (binary: string | null): CliFailure =>
  binary === null
    ? new CliFailure(
        "a service needs the built program",
        "build it with `npm run build` and run `dist/continuity service`",
      )
    : new CliFailure(
        "user services are not supported on this system",
        "hooks start the daemon automatically",
      );
