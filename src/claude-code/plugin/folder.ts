/**
 * The plugin as a folder beside the database, written out of the program itself: a marketplace with one plugin, whose
 * hooks and MCP server name this program by its absolute path.
 */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { HomePaths } from "#domain";
import { setupFiles } from "../settings/files.ts";
import { pluginTexts } from "./texts.ts";

export interface PluginFolder {
  readonly path: string;
  /** Writes all files anew. Throws when the home cannot be written. */
  readonly write: (binary: string) => void;
  /** Takes the folder away; one that is not there is fine. */
  readonly remove: () => void;
}

export function createPluginFolder({ paths }: { readonly paths: HomePaths }): PluginFolder {
  const path = join(paths.root, "plugin");
  return {
    path,
    write: (binary) => {
      for (const [name, text] of pluginTexts(binary))
        setupFiles.replace(join(path, name), new TextEncoder().encode(text), 0o600);
    },
    remove: () => {
      if (existsSync(path)) rmSync(path, { recursive: true, force: true });
    },
  };
}
