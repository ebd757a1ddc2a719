/** Cursors: opaque to callers, an offset inside. */
import type { Page } from "#domain";
import { err, ok, type Result } from "#kit";
import type { ServiceError } from "./errors.ts";

export interface PageAsk {
  readonly limit: number;
  /** `next_cursor` of the page before; null = the first page. */
  readonly cursor: string | null;
}

/** Reads a cursor; fails on one that we never gave out. */
export function pageOf(ask: PageAsk): Result<Page, ServiceError> {
  if (ask.cursor === null) return ok({ limit: ask.limit, offset: 0 });
  const digits = /^o(\d{1,9})$/.exec(ask.cursor)?.[1];
  if (digits === undefined) return err({ type: "cursor.invalid" });
  return ok({ limit: ask.limit, offset: Number(digits) });
}

/** The cursor after `page`, null when `total` ends there. */
export const cursorAfter = (page: Page, total: number): string | null =>
  page.offset + page.limit < total ? `o${page.offset + page.limit}` : null;
