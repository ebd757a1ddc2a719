/**
 * Whether Claude Code can call our MCP tools: by itself, or with the plugin. Asked at every session start, so the client's
 * files are read again only when they changed. Files of the project are left alone: no hook reads those.
 */
import { readFileSync, statSync } from "node:fs";
import { isOurServer, pluginPath, serverPath, serversPathFor, settingsPathFor } from "#setup/light";

type Env = Readonly<Record<string, string | undefined>>;

/** The client keeps much else in these files; one larger than this is not read on the way of a session start. */
const bytesMax = 16 * 1024 * 1024;

/** Answers for the user of this environment; false where nothing can be read. */
export function toolsCheck(env: Env): () => boolean {
  const hasServer = remembering(serversPathFor(env, null), (json) =>
    isOurServer(valueAt(json, serverPath)),
  );
  const hasPlugin = remembering(
    settingsPathFor(env, null),
    (json) => valueAt(json, pluginPath) === true,
  );
  return () => hasPlugin() || hasServer();
}

function remembering(path: string, holds: (json: unknown) => boolean): () => boolean {
  let known = { mtimeMs: -1, size: -1, holds: false };
  return () => {
    const file = statSync(path, { throwIfNoEntry: false });
    if (file === undefined || file.size > bytesMax) return false;
    const { mtimeMs, size } = file;
    if (known.mtimeMs !== mtimeMs || known.size !== size)
      known = { mtimeMs, size, holds: read(path, holds) };
    return known.holds;
  };
}

function read(path: string, holds: (json: unknown) => boolean): boolean {
  try {
    const text = readFileSync(path, "utf8").replace(/^\ufeff/, "");
    return text.includes("continuity") && holds(JSON.parse(text));
  } catch {
    return false; // Unreadable or broken: the command line is named instead, which always works.
  }
}

const valueAt = (json: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, name)
        ? Reflect.get(value, name)
        : undefined,
    json,
  );
