/** Handlers of what a process of its own does: import, sync, and errands such as doctor. */
import type { Context } from "hono";
import { HttpFailure } from "../errors.ts";
import { demandPerson, type Handlers, peerOf, type ServerEnv } from "../handler.ts";
import type { Answering, Errands, ServerContext } from "../context.ts";

/** Questions of the command line by which texts of others come into force. */
const decisions: ReadonlySet<string> = new Set(["trust", "arrive", "adopt"]);

export const taskHandlers = ({ importer, sync, team, errands }: ServerContext) =>
  ({
    "POST /api/import": ({ body: { source, items } }, c) => {
      checkProcess(c, "Imports are taken");
      return writing(importer).apply(source, items);
    },
    "POST /api/import/known": ({ body: { source, sessions } }, c) => {
      checkProcess(c, "Imports are taken");
      return { sessions: writing(importer).known(source, sessions) };
    },
    "POST /api/sync": async ({ body }, c) => {
      checkProcess(c, "Sync is served");
      return answered(sync, body);
    },
    "POST /api/team": async ({ body }, c) => {
      if (decisions.has(body.ask)) demandPerson(c);
      checkProcess(c, "The team is served");
      return answered(team, body);
    },
    "POST /api/doctor": async () => {
      // Loaded by the first who asks: forms take a moment.
      const { forms } = await import("../../forms.ts");
      const told = forms.DoctorJson.safeParse(await able(errands).doctor());
      if (told.success) return told.data;
      throw new HttpFailure(
        "server.internal",
        "`continuity doctor` said nothing; see `continuity status --log`.",
      );
    },
    "GET /api/import/state": () => able(errands).importState(),
    "POST /api/import/start": ({ body }) => able(errands).startImport(body.from),
  }) satisfies Partial<Handlers>;

/**
 * Items come gated by our own reader, and entries from a process that has checked who signed them; over TCP anybody
 * with the token could say so. Windows has no other way.
 */
function checkProcess(c: Context<ServerEnv>, what: string): void {
  if (peerOf(c.env).transport !== "socket" && process.platform !== "win32")
    throw new HttpFailure("auth.socket-only", `${what} over the daemon's socket only.`);
}

/** A port that a process which only reads has not. */
function writing<Port>(port: Port | undefined): Port {
  if (port === undefined) throw new HttpFailure("service.read-only", "This process only reads.");
  return port;
}

async function answered(
  answer: Answering | undefined,
  body: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const given = await writing(answer)(body);
  if (given === null) throw new HttpFailure("request.invalid", "The question is malformed.");
  return given as Readonly<Record<string, unknown>>;
}

function able(errands: Errands | undefined): Errands {
  if (errands === undefined)
    throw new HttpFailure("service.read-only", "This process cannot start the program.");
  return errands;
}
