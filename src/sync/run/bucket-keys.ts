/** Keys of an S3 store: from the environment, else from the file that other S3 programs read. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { CarrierFailure } from "./carrier.ts";

export type Access = Readonly<Record<string, string>>;

interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The file is read each time, so that keys that change hold at once. */
export function credentialsFor(access: Access): Keys {
  const found = keysIn({
    id: access["AWS_ACCESS_KEY_ID"],
    secret: access["AWS_SECRET_ACCESS_KEY"],
    token: access["AWS_SESSION_TOKEN"],
  });
  if (found !== null) return found;
  const path = access["AWS_SHARED_CREDENTIALS_FILE"] ?? join(homedir(), ".aws", "credentials");
  const profile = access["AWS_PROFILE"] ?? "default";
  const values = section(path, profile);
  const kept = keysIn({
    id: values.get("aws_access_key_id"),
    secret: values.get("aws_secret_access_key"),
    token: values.get("aws_session_token"),
  });
  if (kept !== null) return kept;
  throw new CarrierFailure(
    `there are no credentials for the store: ${path} has none for the profile ${profile}`,
    "put them there, or into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    true,
  );
}

function keysIn(of: {
  readonly id: string | undefined;
  readonly secret: string | undefined;
  readonly token: string | undefined;
}): Keys | null {
  if (!of.id || !of.secret) return null;
  const keys = { accessKeyId: of.id, secretAccessKey: of.secret };
  return of.token ? { ...keys, sessionToken: of.token } : keys;
}

/** Lines `key = value` below `[profile]`. */
function section(path: string, profile: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let isOurs = false;
  for (const line of linesOf(path)) {
    const [, title] = /^\s*\[\s*(?:profile\s+)?([^\]]+?)\s*\]/.exec(line) ?? [];
    if (title !== undefined) isOurs = title === profile;
    const [, key, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (isOurs && key !== undefined && value !== undefined) values.set(key.toLowerCase(), value);
  }
  return values;
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch {
    return [];
  }
}
