/** What the viewer has the program do beside the daemon: look after itself, bring in records. Must not know how. */
import type { ImportStateJson } from "#api";
import { HttpFailure } from "../errors.ts";
import type { Handlers } from "../handler.ts";

export interface Errands {
  /** What `doctor --json` prints; null when it printed none. */
  readonly doctor: () => Promise<unknown>;
  /** Starts one, unless one is under way. */
  readonly startImport: (from: string) => ImportStateJson;
  readonly importState: () => ImportStateJson;
}

export interface ErrandDep {
  /** Absent in a process that cannot start the program. */
  readonly errands?: Errands | undefined;
}

export const errandHandlers = ({ errands }: ErrandDep) =>
  ({
    "POST /api/doctor": async () => {
      // Loaded by the first who asks: forms take a moment.
      const { doctorForm } = await import("#api/forms");
      const told = doctorForm.safeParse(await able(errands).doctor());
      if (told.success) return told.data;
      throw new HttpFailure(
        "server.internal",
        "`continuity doctor` said nothing; see `continuity status --log`.",
      );
    },
    "GET /api/import/state": () => able(errands).importState(),
    "POST /api/import/start": ({ body }) => able(errands).startImport(body.from),
  }) satisfies Partial<Handlers>;

function able(errands: Errands | undefined): Errands {
  if (errands === undefined)
    throw new HttpFailure("service.read-only", "This process cannot start the program.");
  return errands;
}
