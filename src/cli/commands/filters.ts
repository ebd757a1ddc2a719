/** Options that several commands share, and how they become query parameters. */
import { categories, makers, nodeStatuses, origins } from "#domain";
import type { Field } from "#api";
import { type Context, momentOf } from "../context.ts";
import { type Input, type OptionSpec, optionText, optionTexts } from "../spec.ts";
import { misuse } from "../failure.ts";
import { safeLine } from "../text.ts";

export const filterOptions: readonly OptionSpec[] = [
  {
    flags: "--category <name>",
    summary: "only this category",
    choices: categories,
    many: true,
  },
  { flags: "--project <name>", summary: "only this project (name or key) and global", many: true },
  { flags: "--tag <tag>", summary: "only with this tag" },
  { flags: "--file <path>", summary: "only about this file, as it was recorded" },
  { flags: "--session <id>", summary: "only from this session" },
  {
    flags: "--maker <maker>",
    summary: "only made by this path",
    choices: makers,
  },
  {
    flags: "--origin <origin>",
    summary: "only from this channel",
    choices: origins,
  },
  {
    flags: "--status <status>",
    summary: "only in this state",
    choices: nodeStatuses,
    many: true,
  },
  { flags: "--since <time>", summary: "not older: 7d, 12h or 2026-09-01" },
  { flags: "--until <time>", summary: "not newer: 7d, 12h or 2026-09-01" },
];

export const filterQuery = ({ nowMs }: Context, input: Input) => ({
  ...many("category", optionTexts(input, "category")),
  ...many("project", optionTexts(input, "project")),
  ...many("status", optionTexts(input, "status")),
  ...one("tag", optionText(input, "tag")),
  ...one("file", optionText(input, "file")),
  ...one("session", optionText(input, "session")),
  ...one("since", timeOption(input, "since", nowMs)),
  ...one("until", timeOption(input, "until", nowMs)),
  ...one("maker", makers.find((maker) => maker === optionText(input, "maker")) ?? null),
  ...one("origin", origins.find((origin) => origin === optionText(input, "origin")) ?? null),
});

/** A field when there is a value, no field otherwise. */
export const one = <Name extends string, Value>(
  name: Name,
  value: Value | null,
): { readonly [Key in Name]?: Value } =>
  // A computed name widens to `string`; the type parameter is what it is.
  (value === null ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };

export const many = <Name extends string>(name: Name, values: readonly string[]) =>
  one(name, values.length === 0 ? null : [...values]);

function timeOption(input: Input, name: string, nowMs: number): string | null {
  const given = optionText(input, name);
  return given === null ? null : `${momentOf(given, nowMs)}`;
}

/** A whole number from 1 to `most`, as the query wants it. */
export function countOption(input: Input, name: string, most: number): number | null {
  const given = optionText(input, name);
  if (given === null) return null;
  const value = /^\d{1,6}$/.test(given) ? Number(given) : 0;
  if (value < 1 || value > most) throw misuse(`--${name} must be a number from 1 to ${most}`);
  return value;
}

/** Reads a number that a list shows. */
export function numberOf(given: string, of: string, next: string | null = null): number {
  if (/^[1-9]\d{0,14}$/.test(given)) return Number(given);
  throw misuse(`"${safeLine(given)}" is not the number of a ${of}`, next);
}

/** The named fields first, in that order; the others as they come. */
export const first = (all: readonly Field[], names: readonly string[]): readonly Field[] => [
  ...names.flatMap((name) => all.filter((field) => field.name === name)),
  ...all.filter(({ name }) => !names.includes(name)),
];
