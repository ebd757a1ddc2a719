/** Routes by which the viewer has the program look after itself and bring in records. Must not know how that is done. */
import { Hono } from "hono";
import type { ImportStateJson } from "#api";
import { HttpFailure } from "./errors.ts";
import { body } from "./parse.ts";
import type { ServerEnv } from "./peer.ts";
import { emptyBody } from "./schemas.ts";
import { bringBody } from "./schemas-pages.ts";

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

export const errandRoutes = ({ errands }: ErrandDep) =>
  new Hono<ServerEnv>()
    .post("/api/doctor", body(emptyBody), async (c) => {
      // Loaded by the first who asks: forms take a moment.
      const { doctorForm } = await import("#api/forms");
      const told = doctorForm.safeParse(await able(errands).doctor());
      if (!told.success)
        throw new HttpFailure(
          "server.internal",
          "`continuity doctor` said nothing; see `continuity logs`.",
        );
      return c.json(told.data, 200);
    })
    .get("/api/import/state", (c) => c.json(able(errands).importState(), 200))
    .post("/api/import/start", body(bringBody), (c) =>
      c.json(able(errands).startImport(c.req.valid("json").from), 200),
    );

function able(errands: Errands | undefined): Errands {
  if (errands === undefined)
    throw new HttpFailure("service.read-only", "This process cannot start the program.");
  return errands;
}
