/** Handlers of what a process of its own does: import, sync, and errands such as doctor. */
import type { Context } from "hono";
import { HttpFailure } from "../errors.ts";
import { demandPerson, type Handlers, type Peer, peerOf, type ServerEnv } from "../handler.ts";
import type { Answering, Errands, ServerContext } from "../context.ts";

export const importHandlers = ({ importer }: ServerContext) =>
  ({
    "POST /api/import": ({ body: { source, items } }, c) => {
      checkProcess(peerOf(c.env));
      return writing(importer).apply(source, items);
    },
    "POST /api/import/known": ({ body: { source, sessions } }, c) => {
      checkProcess(peerOf(c.env));
      return { sessions: writing(importer).known(source, sessions) };
    },
  }) satisfies Partial<Handlers>;

/** Items come gated by our own reader; over TCP anybody with the token could say so. Windows has no other way. */
function checkProcess({ transport }: Peer): void {
  if (transport !== "socket" && process.platform !== "win32")
    throw new HttpFailure("auth.socket-only", "Imports are taken over the daemon's socket only.");
}

function writing(importer: ServerContext["importer"]): NonNullable<ServerContext["importer"]> {
  if (importer === undefined)
    throw new HttpFailure("service.read-only", "This process only reads.");
  return importer;
}

async function answered(
  c: Context<ServerEnv>,
  what: "Sync" | "The team",
  { answer, body }: { readonly answer: Answering | undefined; readonly body: unknown },
): Promise<Readonly<Record<string, unknown>>> {
  // Entries come from our own process, which has checked who signed them. Windows has no other way.
  if (peerOf(c.env).transport !== "socket" && process.platform !== "win32")
    throw new HttpFailure("auth.socket-only", `${what} is served over the daemon's socket only.`);
  if (answer === undefined) throw new HttpFailure("service.read-only", "This process only reads.");
  const given = await answer(body);
  if (given === null) throw new HttpFailure("request.invalid", "The question is malformed.");
  return given as Readonly<Record<string, unknown>>;
}

/** Questions of the command line by which texts of others come into force. */
const decisions: ReadonlySet<string> = new Set(["trust", "arrive", "adopt"]);

export const syncHandlers = ({ sync, team }: ServerContext) =>
  ({
    "POST /api/sync": async ({ body }, c) => answered(c, "Sync", { answer: sync, body }),
    "POST /api/team": async ({ body }, c) => {
      if (decisions.has(body.ask)) demandPerson(c);
      return answered(c, "The team", { answer: team, body });
    },
  }) satisfies Partial<Handlers>;

export const errandHandlers = ({ errands }: ServerContext) =>
  ({
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

function able(errands: Errands | undefined): Errands {
  if (errands === undefined)
    throw new HttpFailure("service.read-only", "This process cannot start the program.");
  return errands;
}
