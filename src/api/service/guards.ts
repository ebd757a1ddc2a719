/** Guards: those that are offered, and what a person makes of them. */
import { heirOf, toolOf, type ActiveGuard, type Guard, type GuardForm } from "#domain";
import { guardAgainst, type Places } from "#hooks";
import { err, ok, oneLine, type Result } from "#kit";
import { banIn } from "#memory";
import type { GuardJson, GuardListJson, GuardTestJson } from "../forms-given.ts";
import type { ServiceError } from "./errors.ts";
import { projectKeyOf } from "./scope.ts";
import type { Body, Context, Timed } from "./context.ts";

/** Offered and approved ones. */
export const guards = (context: Context): GuardListJson => ({
  items: shown(context).map(guardToJson),
});

export function decideGuard(
  { store }: Context,
  { id, action, decision }: Body<"POST /api/guards/:id"> & { readonly id: number },
): Result<GuardJson, ServiceError> {
  const guard = store.guards.byId(id);
  if (guard === null || !isShown(guard)) return err({ type: "guard.not-found", id });
  const state = action === "approve" ? "approved" : "removed";
  const changed = { ...guard, state, decision: decision ?? guard.decision } as const;
  store.guards.update(id, { state, decision: changed.decision });
  return ok(guardToJson(changed));
}

const isShown = ({ state }: Guard): boolean => state === "offered" || state === "approved";
const shown = ({ store }: Context): readonly Guard[] => store.guards.list().filter(isShown);

export function addGuard(
  context: Context,
  ask: Body<"POST /api/guards"> & Timed,
): Result<GuardJson, ServiceError> {
  const gated = context.gate.clean(ask.words);
  const words = oneLine(gated.text);
  if (gated.whollyPrivate) return err({ type: "memory.private" });
  const form = words === "" ? null : banIn(words);
  if (form === null) return err({ type: "guard.unclear", words });
  const project = projectKeyOf(context, ask.project);
  if (!project.ok) return project;
  const { guards: table } = context.store;
  return context.store.transaction(() => {
    const known = table.byForm(project.value, form);
    const { decision, nowMs: createdAt } = ask;
    if (known !== null) {
      const state = known.state === "approved" ? "approved" : "offered";
      table.update(known.id, { words, decision, state, isTold: true });
      return ok(guardToJson({ ...known, words, decision, state }));
    }
    const place = { project: project.value, nodeId: null, createdAt };
    const told = { words, form, decision, state: "offered", sayings: [], isTold: true } as const;
    return ok(guardToJson(table.add({ ...place, ...told })));
  });
}

/** The guard that a deed is against: an approved one first, else one that is offered. */
export function testGuards(
  context: Context,
  ask: Body<"POST /api/guards/test">,
): Result<GuardTestJson, ServiceError> {
  const { command = null, path = null, cwd, root = cwd } = ask;
  const asked = projectKeyOf(context, ask.project);
  if (!asked.ok) return asked;
  const { meant, places } = meantBy(context, asked.value, { root, cwd });
  const deed = { tool: command === null ? "Write" : "Bash", command, path, cwd, root };
  const against = (state: Guard["state"]): ActiveGuard | null =>
    guardAgainst(
      activeOf(
        context,
        meant.filter((one) => one.state === state),
      ),
      deed,
      places,
    );
  const found = against("approved") ?? against("offered");
  const guard = meant.find(({ id }) => id === found?.id);
  return ok({ guard: guard === undefined ? null : guardToJson(guard) });
}

/** Guards that may hold, and what is asked of the disk. A project that is named stands for the folder. */
function meantBy(
  context: Context,
  named: string | null,
  at: { readonly root: string; readonly cwd: string },
): { readonly meant: readonly Guard[]; readonly places: Places<ActiveGuard> } {
  const disk = context.guardPlaces(at);
  if (named === null) return { meant: shown(context), places: disk };
  const project = heirOf(context.store.projects.rules().merged, named);
  return {
    meant: shown(context).filter((one) => one.project === null || one.project === project),
    places: { ...disk, isHeldIn: () => true },
  };
}

/** The guards as the hook reads them. */
export const activeGuards = (context: Context): readonly ActiveGuard[] =>
  activeOf(
    context,
    context.store.guards.list().filter(({ state }) => state === "approved"),
  );

function activeOf({ store }: Context, guards: readonly Guard[]): readonly ActiveGuard[] {
  if (guards.length === 0) return [];
  const { merged, folders } = store.projects.rules();
  const keysOf = (project: string): readonly string[] => [
    project,
    ...Object.keys(merged).filter((key) => heirOf(merged, key) === project),
    // A project that was split off goes by its folder: its repository says the key that it said before.
    ...folders.flatMap((rule) => (rule.project === project ? `${rule.key}\n${rule.folder}` : [])),
  ];
  return guards.map(({ id, decision, words, project, form }) => ({
    id,
    decision,
    words,
    projects: project === null ? null : keysOf(project),
    form,
  }));
}

const guardToJson = (guard: Guard): GuardJson => ({
  id: guard.id,
  state: guard.state === "heard" ? "offered" : guard.state,
  decision: guard.decision,
  tool: toolOf(guard.form),
  checks: checksOf(guard.form),
  words: guard.words,
  project: guard.project,
  said: guard.sayings.length,
  created_at: guard.createdAt,
});

const namedMax = 4;

/** `checksOf` says to a person what a guard looks for. */
function checksOf(form: GuardForm): string {
  if (form.type === "write")
    return form.deletes ? `deleting ${form.path}` : `writing to ${form.path}`;
  const names = form.commands.map((words) => words.join(" "));
  const more = names.length > namedMax ? ` and ${names.length - namedMax} more` : "";
  const near = form.near.length === 0 ? "" : `, with ${form.near.join(" or ")}`;
  return `running ${names.slice(0, namedMax).join(", ")}${more}${near}`;
}
