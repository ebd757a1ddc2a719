import { join } from "node:path";
import { defaultSettings } from "#domain";
import { gatherPrompt } from "#memory";
import { latersOf } from "../src/memory/injection/later.ts";
import { lineOf } from "../src/memory/exchange/exchange.ts";
import { live } from "./replay.ts";
import { readVoices, says } from "./voice.ts";
import { successorsOf } from "./exchanges.ts";
import { writeFileSync } from "node:fs";
const out: any[] = [];
for (const v of readVoices(join(import.meta.dir, "voices"))) {
  using l = await live(v);
  const deps = { finder: l.finder, lexical: l.store.lexical, embedder: l.embedder };
  for (const p of v.probes) {
    const ev = gatherPrompt(deps, {
      prompt: p.prompt,
      previousAnswer: null,
      sessionId: "x",
      homeProject: l.projectKey(p.project),
      branch: "main",
      projects: l.store.admin.projects(),
      seen: new Set(),
      ordinary: [],
      nowMs: p.atMs,
      inject: { ...defaultSettings.inject, eagerness: "low" },
    });
    if (ev.likelihood < 0.25) continue;
    const needs = p.needs.map((n) => v.facts.get(n)!);
    ev.candidates.slice(0, 2).forEach((c, rank) => {
      const text = lineOf(c.sentences);
      const laters = latersOf(deps, c, { projects: [l.projectKey(p.project)], nowMs: p.atMs })
        .slice(0, 5)
        .map((x) => ({
          p: x.likelihood,
          at: x.node.validFrom,
          text: lineOf(x.sentences),
          id: x.node.id,
          L: ev.candidates.find((y) => y.document.node.id === x.node.id)?.likelihood ?? 0,
        }));
      const stale = p.stale
        .map((id) => v.facts.get(id)!)
        .filter((f) => says(text, f))
        .map((f) =>
          successorsOf(v, f.id).map((n) => ({
            a: n.anchors,
            ok: laters.map((x) => says(x.text, n)),
          })),
        );
      out.push({
        v: v.name,
        q: p.prompt,
        rank,
        L: ev.likelihood,
        l: c.likelihood,
        text,
        at: c.document.node.validFrom,
        laters,
        stale,
        right: needs.some((f) => says(text, f)),
        rightLater: laters.map((x) => needs.some((f) => says(x.text, f))),
      });
    });
  }
  console.log(v.name, out.length);
}
writeFileSync("/work/lab/stale.json", JSON.stringify(out));
