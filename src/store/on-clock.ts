/** Times of rows by the clocks of a zone. */
import type { ZoneOffsets } from "#kit";

/** A column of times as the zone's clocks show them, if they ran in UTC. */
export const onClock = (column: string, days: ZoneOffsets = []): string => {
  const [first, ...later] = days;
  const cases = later
    .toReversed()
    .map(({ fromMs, aheadMs }) => `WHEN ${column} >= ${fromMs} THEN ${aheadMs}`);
  const ahead = first?.aheadMs ?? 0;
  return cases.length === 0
    ? `(${column} + ${ahead})`
    : `(${column} + CASE ${cases.join(" ")} ELSE ${ahead} END)`;
};
