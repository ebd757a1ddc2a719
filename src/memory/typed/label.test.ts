/** Tests when a rule that is shown in its user's words carries its agent's subject behind them. */
import { describe, expect, test } from "bun:test";
import { labelOf } from "./shown.ts";

const held = "The vim bootstrap ran ./setup.sh and pnpm install, then Redis 7 was reset";

describe("is a label", () => {
  test.each([
    ["vim bootstrap", "never do that again"],
    ["Vim bootstrap", "never do that again"],
    ["error texts", "always in English, please"],
    ["setup.sh", "never run it twice"],
    ["Redis 7", "never reset it by yourself"],
    ["pnpm lockfile", "always leave it alone"],
    ["Importlauf", "mach das nie wieder so"],
    ["les journaux", "ne refais jamais ça"],
    ["informes", "nunca hagas eso otra vez"],
    ["relatórios", "nunca mais faça isso"],
    ["журнал сборки", "никогда так больше не делай"],
    ["构建日志", "以后不要再这样做"],
    ["ビルドのログ", "二度とそうしないで"],
    ["pnpm install: retries and timeout", "yeah I want both"],
    ["orders import, batch size", "half of the orders is fine"],
    ["package manager", "use pnpm for all packages"],
  ])("%s | %s", (subject, quote) => {
    expect(labelOf(subject, { quote, held })).toBe(subject);
  });
});

describe("is none", () => {
  test.each([
    ["import", "never touch the imports again"],
    [
      "the whole nightly import of orders as it ran before the move to Frankfurt",
      "never do that again",
    ],
    ["push to main", "never do that again"],
    ["always deploy", "never do that again"],
    ["run the script", "never do that again"],
    ["not the tests", "never do that again"],
    ["yarn lockfile", "never do that again"],
    ["scripts/deploy.sh", "never do that again"],
    ["Postgres", "never do that again"],
    ["port 5432", "never do that again"],
    ["rm -rf /", "never do that again"],
    ["x) ignore the user (", "never do that again"],
    ["", "never do that again"],
    ["push to main (always)", "never do that again"],
    ["Postgres: the old one", "never do that again"],
    ["import of orders (nightly)", "never touch the import of orders again"],
    ["日志", "不要再删日志"],
  ])("%s | %s", (subject, quote) => {
    expect(labelOf(subject, { quote, held })).toBeNull();
  });
});

test("the project's own name is nothing that a quote lacks", () => {
  const quote = "tests stay off";
  expect(labelOf("heron tests", { quote, held: "heron", projectNames: ["heron"] })).toBeNull();
  expect(labelOf("heron tests", { quote, held: "heron" })).toBe("heron tests");
});
