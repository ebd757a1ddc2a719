/** Times as other programs store them. Pure. */
import { isTime, parseNow } from "#kit";

/** Smaller numbers are seconds. */
const secondsMax = 100_000_000_000;

/** Epoch milliseconds of a number (milliseconds or seconds) or of ISO text; null when it is no time. */
export function storedTime(value: unknown): number | null {
  const ms =
    typeof value === "number"
      ? Math.round(value < secondsMax ? value * 1_000 : value)
      : typeof value === "string"
        ? parseNow(value)
        : null;
  return ms !== null && ms > 0 && isTime(ms) ? ms : null;
}
