/** Hears at once that another machine wrote, where the carrier tells (PostgreSQL). The daemon uses it: no keys. */
import { asked, openClient, postgresPlace } from "./postgres-client.ts";
import { channelOf } from "./channel.ts";
import type { SpaceState } from "./space.ts";

/** What ends it; null where the carrier tells nothing. Throws when it cannot be reached. */
export async function watchSpace(
  { url, access, device }: Pick<SpaceState, "url" | "access" | "device">,
  onNews: () => void,
): Promise<(() => Promise<void>) | null> {
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
