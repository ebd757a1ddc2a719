/** More turns in order: successions without a value, and things that only look like one another. */
import { test } from "bun:test";
import { expectActive } from "./sequences-fixtures.ts";
import type { Sequence } from "./sequences-fixtures.ts";

test.each<Sequence>([
  {
    name: "cookies down to hours, wanted by somebody",
    turns: [
      ["cart cookies live 9 days", "ok"],
      ["legal wants cart cookies down to 10 hours", "Cart cookies expire after 10 hours now."],
    ],
    keep: [["10 hours"]],
    gone: [["9 days"]],
  },
  {
    name: "from a month on another weekday",
    turns: [
      ["prices are pushed on tuesdays", "ok"],
      ["from next month prices are pushed on fridays", "ok"],
    ],
    keep: [["fridays"]],
    gone: [["tuesdays"]],
  },
  {
    name: "archived upstream",
    turns: [
      ["labels are rendered with wkpdf", "ok"],
      ["wkpdf is archived upstream, labels are rendered with weasy now", "ok"],
    ],
    keep: [["weasy"]],
    gone: [["with wkpdf"]],
  },
  {
    name: "another tongue for comments",
    turns: [
      ["comments in dutch in this repo", "ok"],
      ["comments in english from now on, half the team is new", "ok"],
    ],
    keep: [["english"]],
    gone: [["in dutch"]],
  },
  {
    name: "the same place without a word of change",
    turns: [
      ["parcel photos come from dropcam", "ok"],
      ["parcel photos come from lenshub", "ok"],
    ],
    keep: [["lenshub"]],
    gone: [["dropcam"]],
  },
  {
    name: "another tool for the same purpose",
    turns: [
      ["use winston for logs", "ok"],
      ["use pino for logs", "ok"],
    ],
    keep: [["pino"]],
    gone: [["winston"]],
  },
  {
    name: "too pricey",
    turns: [
      ["maps are on mapco.io", "ok"],
      ["mapco.io got too pricey, maps are on osmtiles now", "ok"],
    ],
    keep: [["osmtiles"]],
    gone: [["are on mapco"]],
  },
  {
    name: "what is left under the same condition",
    turns: [
      ["two signatures for parcels over 40 kg", "ok"],
      ["parcels over 40 kg need three signatures since the accident", "ok"],
    ],
    keep: [["three"]],
    gone: [["two signatures"]],
  },
  {
    name: "from one to another in so many words",
    turns: [
      ["we use i18next", "ok"],
      ["we went from i18next to lingui", "ok"],
    ],
    keep: [["lingui"]],
    gone: [["we use i18next"]],
  },
  {
    name: "handed on",
    turns: [
      ["Paula from sales keeps the price list", "ok"],
      ["price list: Paula handed it to Enzo", "ok"],
    ],
    keep: [["enzo"]],
    gone: [["paula from sales keeps"]],
  },
  {
    name: "siblings keep their versions",
    turns: [
      ["mobile sdk is on version 4", "ok"],
      ["web sdk is on version 7 now", "ok"],
    ],
    keep: [["mobile"], ["web"]],
    gone: [],
  },
  {
    name: "a maximum is no default",
    turns: [
      ["page size is 50", "ok"],
      ["max page size is 200", "ok"],
    ],
    keep: [["50"], ["200"]],
    gone: [],
  },
  {
    name: "two deeds done to one thing",
    turns: [
      ["hubs are identified by uuid", "ok"],
      ["hubs are now notified by email", "ok"],
    ],
    keep: [["uuid"], ["email"]],
    gone: [],
  },
  {
    name: "two properties of one thing",
    turns: [
      ["shelf rows are immutable", "ok"],
      ["shelf rows are partitioned by month", "ok"],
    ],
    keep: [["immutable"], ["month"]],
    gone: [],
  },
  {
    name: "place and region",
    turns: [
      ["the sorter runs on fargate", "ok"],
      ["the sorter runs in eu-central-1", "ok"],
    ],
    keep: [["fargate"], ["eu central 1"]],
    gone: [],
  },
])("$name", expectActive);
