/**
 * Hears that another machine wrote: at once where the carrier tells (PostgreSQL), by a look at a folder each second.
 * The daemon uses it: no keys.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { asked, type CarrierAddress, openClient, postgresPlace } from "./postgres-client.ts";
import { channelOf, folderOf } from "./carrier.ts";

/** Between two looks at a folder, ms. */
const lookMs = 1_000;

/**
 * `watchSpace` resolves to the function that ends it; null where the carrier tells nothing. Throws
 * when it cannot be reached.
 */
export async function watchSpace(
  { url, access }: CarrierAddress,
  device: string,
  onNews: () => void,
): Promise<(() => Promise<void>) | null> {
  if (url.startsWith("file:")) return watchFolder(join(folderOf(url), "log"), device, onNews);
  if (!/^postgres(?:ql)?:/.test(url) || /[?&]listen=off/.test(url)) return null;
  const place = postgresPlace(url, access);
  const sql = openClient(place, 1);
  const stop = (): Promise<void> => sql.close({ timeout: 0 });
  const told = (name: string): void => {
    if (!name.startsWith(`log/${device}/`)) onNews();
  };
  try {
    await asked(place, () => sql.listen(channelOf(place.space), told));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

/** Asks nothing but when the folders of the other machines changed. */
function watchFolder(log: string, device: string, onNews: () => void): () => Promise<void> {
  const look = (): string => {
    try {
      return readdirSync(log)
        .filter((name) => name !== device)
        .map((name) => `${name} ${statSync(join(log, name)).mtimeMs}`)
        .toSorted()
        .join("\n");
    } catch {
      return ""; // Not mounted now, or nobody has written yet.
    }
  };
  let seen = look();
  const timer = setInterval(() => {
    const now = look();
    if (now === seen) return;
    seen = now;
    onNews();
  }, lookMs);
  timer.unref();
  return async () => clearInterval(timer);
}
