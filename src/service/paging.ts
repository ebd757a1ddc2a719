/** Cursors: opaque to callers; an offset inside, or where the last entry lies. */
import type { Page } from "#domain";
import { err, ok, type Result } from "#kit";
import type { ServiceError } from "./errors.ts";

export interface PageAsk {
  readonly limit: number;
  /** `next_cursor` of the page before; null = the first page. */
  readonly cursor: string | null;
  /** Rows to leave out, for lists that jump; counts only without a cursor. */
  readonly offset?: number;
}

/** Reads a cursor; fails on one that we never gave out. */
export function pageOf(ask: PageAsk): Result<Page, ServiceError> {
  if (ask.cursor === null) return ok({ limit: ask.limit, offset: ask.offset ?? 0 });
  const digits = /^o(\d{1,9})$/.exec(ask.cursor)?.[1];
  if (digits === undefined) return err({ type: "cursor.invalid" });
  return ok({ limit: ask.limit, offset: Number(digits) });
}

/** The cursor after `page`, null when `total` ends there. */
export const cursorAfter = (page: Page, total: number): string | null =>
  page.offset + page.limit < total ? `o${page.offset + page.limit}` : null;

/** A cursor of whole numbers; `kind` tells one list's cursors from another's. */
export const cursorOf = (kind: string, numbers: readonly number[]): string =>
  `${kind}${numbers.join(".")}`;

/** The numbers of such a cursor; null when it is none of `count` numbers. */
export function numbersIn(kind: string, cursor: string, count: number): readonly number[] | null {
  if (!cursor.startsWith(kind)) return null;
  const parts = cursor.slice(kind.length).split(".");
  if (parts.length !== count || !parts.every((part) => /^-?\d{1,16}$/.test(part))) return null;
  return parts.map(Number);
}
