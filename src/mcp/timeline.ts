/** `memory_timeline`: what happened around a memory, a session or a moment. */
import type { z } from "zod";
import { renderTimeline } from "#memory";
import type { timelineInput } from "./schemas.ts";
import { field, timeText, type Tools } from "./tool.ts";

const limitDefault = 20;

/** Resolves to what happened as text, oldest first, or to a sentence that nothing did. */
export async function aroundTime(
  { clients, clock, project }: Tools,
  { around, limit }: z.output<typeof timelineInput>,
): Promise<string> {
  const api = await clients.read();
  const isPlace = around !== undefined && !isTime(around);
  const home = project();
  const asked = {
    ...field("around", around === undefined ? null : placeOf(around, clock.nowMs())),
    limit: `${limit ?? limitDefault}`,
    // A memory or a session says itself where it belongs; a time does not.
    ...field("project", isPlace || home === null ? null : [home]),
  };
  const { items } = await (await api.timeline.$get({ query: asked })).json();
  return items.length === 0 ? "No events." : renderTimeline(items);
}

/** Durations and dates; session ids begin with letters and digits as well, but hold no such form. */
const isTime = (text: string): boolean =>
  /^(?:\d+\s*[a-z]{1,3}|\d{4}-\d\d(?:-\d\d.*)?|\d{12,14})$/i.test(text);

const placeOf = (around: string, nowMs: number): string =>
  isTime(around) ? timeText(around, nowMs) : around;
