/** TOML to plain values, with errors that name line and column. */
import { parse, TomlError } from "smol-toml";
import { err, ok } from "#kit";
import type { Result } from "#kit";
import type { ConfigError } from "./errors.ts";

/** `path` is for the message only. */
export function parseToml(
  text: string,
  path: string,
): Result<Readonly<Record<string, unknown>>, ConfigError> {
  try {
    return ok(parse(withoutMark(text)));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [detail = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    return err({ type: "config.syntax", path, line: error.line, column: error.column, detail });
  }
}

/** Editors on Windows begin files with a byte order mark, which TOML does not know; a blank keeps positions. */
const withoutMark = (text: string): string =>
  text.startsWith("\ufeff") ? ` ${text.slice(1)}` : text;
