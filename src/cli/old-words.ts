/** Words of earlier versions, and what is run in their place. They are in no help text and in no completion. */

type Words = readonly string[];

const before =
  (...words: Words) =>
  (rest: Words): Words => [...words, ...rest];

const oldWords: ReadonlyMap<string, (rest: Words) => Words> = new Map([
  ["audit", before("stats", "--memory")],
  ["diff", before("history", "--diff")],
  ["jobs", before("status", "--jobs")],
  ["links", before("show", "--links")],
  ["llm", (rest) => ["status", "--test-model", ...rest.filter((word) => word !== "test")]],
  ["logs", before("status", "--log")],
  ["pin", pinWords],
  ["profile", before("show", "--profile")],
  ["resume", before("pause", "--off")],
  ["revert", before("undo", "--memory")],
  ["search", before("find", "--deep")],
  ["token", (rest) => ["config", "rotate-token", ...rest.filter((word) => word !== "rotate")]],
  ["tree", before("list", "--tree")],
  ["tune", before("stats", "--memory")],
  ["unshare", before("share", "--off")],
  ["usage", before("stats", "--models")],
  ["verify", before("show", "--code")],
]);

function pinWords(rest: Words): Words {
  const isOff = rest.includes("--off");
  const kept = rest.filter((word) => word !== "--off");
  return ["edit", isOff ? "--unpin" : "--pin", ...kept];
}

/** Replaces an old command, also after `help`, by the command that does the same now. */
export function currentWords(argv: Words): Words {
  const [word = "", ...rest] = argv;
  if (word === "help" && oldWords.has(rest[0] ?? "")) return ["help", currentWords(rest)[0] ?? ""];
  return oldWords.get(word)?.(rest) ?? argv;
}
