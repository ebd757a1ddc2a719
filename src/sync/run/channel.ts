/** What machines of a space call each other by where the carrier tells them of a write. */
import { createHash } from "node:crypto";

/** Only who knows the space knows the name, and hears of it. */
export const channelOf = (space: string): string =>
  `continuity_${createHash("sha256").update(`continuity ${space}`).digest("hex").slice(0, 32)}`;
