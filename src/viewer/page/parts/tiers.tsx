/** The longer tiers of a memory, each with what reading it costs an agent. */
import type { NodeJson } from "#api";
import { count } from "./format.ts";
import { Prose } from "./text.tsx";

/** The abstract is the memory's title. */
const tiers = [
  { tier: "l1", name: "Overview", meaning: "short summary" },
  { tier: "l2", name: "Content", meaning: "full text" },
] as const;

export const Tiers = ({ memory }: { memory: NodeJson }) => (
  <div class="tiers">
    {tiers.map(({ tier, name, meaning }) => {
      const text = memory[tier];
      // The title may say it all.
      if (text === null || text === "") return null;
      return (
        <section key={tier} class="tier">
          <h3 class="tier-head">
            <span class="tier-tag mono">{tier.toUpperCase()}</span>
            {name}
            <span class="faint tier-meaning">{meaning}</span>
            <span class="grow" />
            <span class="faint num tier-tokens">{count(memory.tokens[tier])} tokens</span>
          </h3>
          <Prose text={text} />
        </section>
      );
    })}
  </div>
);
