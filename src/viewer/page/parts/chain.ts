/** The values of a memory that replaced one another, in their order. Pure. */
export interface Value {
  readonly uri: string;
  readonly l0: string;
  readonly isReplaced: boolean;
}

interface Graph {
  readonly uri: string;
  readonly nodes: readonly { readonly uri: string; readonly l0: string }[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly relation: string;
  }[];
}

/** The latest first; what a value replaced follows it, however many they are. A circle is left where it closes. */
export function chainOf({ uri, nodes, edges }: Graph): readonly Value[] {
  const texts = new Map(nodes.map((node) => [node.uri, node.l0]));
  const replacing = edges.filter(({ relation }) => relation === "supersedes");
  let latest = uri;
  for (const seen = new Set<string>(); !seen.has(latest);) {
    seen.add(latest);
    latest = replacing.find(({ to }) => to === latest)?.from ?? latest;
  }
  const values: Value[] = [];
  const open = [latest];
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    const here = at;
    if (values.some((value) => value.uri === here)) continue;
    const isReplaced = replacing.some(({ to }) => to === here);
    values.push({ uri: here, l0: texts.get(here) ?? here, isReplaced });
    open.push(...replacing.filter(({ from }) => from === here).map(({ to }) => to));
  }
  return values;
}
