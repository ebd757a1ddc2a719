/** The user service on the real disk. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { CliDeps, CliError } from "#cli";
import { setupFiles } from "#clients";
import { serviceFile, type ServiceFile, servicePlaces, serviceSystemOf } from "#daemon";
import { err, ok, type Result } from "#kit";

/** Writes or removes one file, never one that somebody else wrote or changed. */
export function createServicePort(deps: {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The program as an absolute path; null when it runs from source. */
  readonly binary: string | null;
  readonly platform: string;
}): CliDeps["service"] {
  const wanted = (): Result<ServiceFile & { readonly path: string }, CliError> => {
    const system = serviceSystemOf(deps.platform);
    if (system === null || deps.binary === null) return err(noService(deps.binary));
    const home = deps.env["CONTINUITY_HOME"] ?? null;
    const path = join(deps.env["HOME"] ?? homedir(), servicePlaces[system]);
    return ok({ path, ...serviceFile(system, { binary: deps.binary, home }) });
  };
  return {
    print: () => {
      const file = wanted();
      return file.ok ? ok(file.value.text) : file;
    },
    install: () => {
      const file = wanted();
      if (!file.ok) return file;
      if (deps.binary !== null && !existsSync(deps.binary)) return err(notInstalled);
      const { path, text, start } = file.value;
      const before = textAt(path);
      if (before !== null && !isOurs(before)) return err(foreign(path));
      if (before !== text) setupFiles.replace(path, Buffer.from(text), 0o644);
      return ok({ path, changed: before !== text, next: start });
    },
    uninstall: () => {
      const file = wanted();
      if (!file.ok) return file;
      const { path, stop } = file.value;
      const before = textAt(path);
      if (before === null) return ok({ path, changed: false, next: null });
      if (!isOurs(before)) return err(foreign(path));
      setupFiles.remove(path);
      return ok({ path, changed: true, next: stop });
    },
  };
}

/** The copy that a program from npm is called by is made by `install`. */
const notInstalled: CliError = {
  type: "service.not-installed",
  message: "the service would start a program that is not there yet",
  next: "run `continuity install` first",
};

const textAt = (path: string): string | null => {
  const bytes = setupFiles.read(path);
  return bytes === null ? null : Buffer.from(bytes).toString("utf8");
};

/** `isOurs` tells a unit that install wrote, whichever version and path it was for. */
const isOurs = (text: string): boolean =>
  /serve --idle-exit never|<string>--idle-exit<\/string>/.test(text) && /continuity/i.test(text);

const foreign = (path: string): CliError => ({
  type: "service.foreign",
  message: `${path} was not created by continuity and was left unchanged`,
  next: "move it away and try again",
});

const noService = (binary: string | null): CliError =>
  binary === null
    ? {
        type: "service.no-program",
        message: "a service needs the built program",
        next: "build it with `npm run build` and run `dist/continuity service`",
      }
    : {
        type: "service.unsupported",
        message: "user services are not supported on this system",
        next: "hooks start the daemon automatically",
      };
