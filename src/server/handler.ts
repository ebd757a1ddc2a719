/** What answers a route, and what handlers share. A route of the table without a handler does not compile. */
import type { Context } from "hono";
import type { Answer, Asked, RouteName } from "#api";
import type { Service } from "#service";
import type { ServerEnv } from "./peer.ts";

type Handler<Name extends RouteName> = (
  asked: Asked<Name>,
  c: Context<ServerEnv>,
) => Answer<Name> | Promise<Answer<Name>>;

/** One handler for each route. */
export type Handlers = { readonly [Name in RouteName]: Handler<Name> };

export interface ServiceDep {
  readonly service: Service;
}

/** Items on a page when the request names no limit. */
export const pageLimit = 100;
