/** The longer texts of a memory; its summary is the title. */
import type { NodeJson } from "#api";
import { count } from "./format.ts";
import { Prose } from "./text.tsx";

const tiers = [
  { tier: "l1", name: "Details" },
  { tier: "l2", name: "Full text" },
] as const;

export const Tiers = ({ memory }: { memory: NodeJson }) => (
  <div class="tiers">
    {tiers.map(({ tier, name }) => {
      const text = memory[tier];
      // The title may say it all.
      return text === null || text === "" ? null : (
        <section key={tier} class="tier">
          <h3 class="tier-head">
            {name}
            <span class="grow" />
            <span class="faint num tiny">{count(memory.tokens[tier])} tokens</span>
          </h3>
          <Prose text={text} />
        </section>
      );
    })}
  </div>
);
