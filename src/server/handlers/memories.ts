/** Search, the tree, memories whole and in lists, what is kept and forgotten by hand, the profile. */
import { documentKinds } from "#domain";
import { demand } from "../errors.ts";
import { defined, filtersOf, pageAsked } from "../filters.ts";
import { type Handlers, pageLimit, type ServiceDep } from "../handler.ts";
import { isAgent } from "../peer.ts";

const searchLimit = 10;

export const memoryHandlers = ({ service }: ServiceDep) =>
  ({
    "GET /api/search": ({ query, nowMs }) => {
      const { q, mode, format, kind, limit, sort, home, reader, min_score: minScore } = query;
      const found = service.search({
        ...filtersOf(query),
        ...defined({ concept: query.concept, type: query.type, minScore }),
        text: q,
        mode,
        format: format ?? (mode === "find" ? "index" : "overview"),
        kinds: kind ?? documentKinds,
        limit: limit ?? searchLimit,
        sort,
        home: home ?? null,
        reader: reader ?? null,
        nowMs,
      });
      return demand(found);
    },
    "GET /api/tree": ({ query }) => demand(service.tree(query.uri, pageAsked(query, pageLimit))),
    "GET /api/nodes": ({ query: { uri, use, reader }, nowMs }, c) => {
      const how = { use, reader: reader ?? null, nowMs };
      const node = demand(service.read(uri, how));
      c.set("revision", node.revision);
      return node;
    },
    "DELETE /api/nodes": ({ query, nowMs }) => demand(service.forget(query.uri, nowMs)),
    "GET /api/memories": ({ query, nowMs }) => {
      const { sort, archive, pinned, used, text } = query;
      const listed = service.list({
        ...filtersOf(query),
        ...defined({ pinned, used, text }),
        ...pageAsked(query, pageLimit),
        sort,
        archive,
        nowMs,
      });
      return demand(listed);
    },
    "POST /api/memories": async ({ body, nowMs }, c) => {
      const { session: sessionId, by, until: untilMs, home, ...given } = body;
      const who = by === "agent" || isAgent(c) ? "agent" : "user";
      const asked = { ...given, ...defined({ home }), sessionId, untilMs, by: who, nowMs } as const;
      const meanwhile = who === "agent" ? await service.typedIn(asked) : [];
      return demand(service.remember({ ...asked, meanwhile }));
    },
    "POST /api/memories/end": async ({ body: { session: sessionId, ...given }, nowMs }) => {
      const asked = { ...given, sessionId };
      return demand(service.end({ ...asked, meanwhile: await service.typedIn(asked), nowMs }));
    },
    "GET /api/profile": ({ query }) => demand(service.profile(query.project ?? null)),
  }) satisfies Partial<Handlers>;
