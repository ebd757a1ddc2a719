/** When an agent's line may stand for a quote that denies something, and when the quote is shown in its place. */
import { describe, expect, test } from "bun:test";
import { keepsSense } from "./faithful.ts";

describe("says what the quote says", () => {
  test.each([
    ["No, we use pnpm, not npm.", "The project uses pnpm"],
    ["no. we use pnpm here, not npm", "The project uses pnpm"],
    ["The staging database listens on 5433, not 5432.", "Staging database listens on 5433"],
    ["Our cache is Redis — not Memcached.", "The cache is Redis"],
    ["We deploy to Fly.io; not Heroku.", "Deploys go to Fly.io"],
    ["The tests run with vitest, never jest, and they take four minutes.", "Tests run with vitest"],
    ["Non, le cache tourne sur Redis.", "Le cache tourne sur Redis"],
    ["Nein, wir nutzen pnpm, nicht npm.", "Wir nutzen pnpm"],
    ["Die Staging-Datenbank läuft auf 5433, nicht 5432.", "Staging-Datenbank läuft auf 5433"],
    ["Non, on utilise pnpm, pas npm.", "On utilise pnpm"],
    ["No, el proyecto usa pnpm, no npm.", "El proyecto usa pnpm"],
    ["Não, o projeto usa pnpm, não npm.", "O projeto usa pnpm"],
    ["Нет, мы используем pnpm, а не npm.", "Мы используем pnpm"],
    ["不，我们用pnpm，不用npm。", "我们用pnpm"],
    ["不对，测试环境的端口是5433，不是5432。", "测试环境的端口是5433"],
    ["いいえ、npmではなく、このリポジトリはpnpmを使います。", "このリポジトリはpnpmを使います"],
    ["このリポジトリはpnpmを使います。npmではありません。", "このリポジトリはpnpmを使います"],
    ["We use pnpm here. Don't use npm.", "Never npm: the project uses pnpm"],
    ["We use pnpm here.", "The project uses pnpm"],
  ])("%s | %s", (quote, line) => {
    expect(keepsSense(line, quote)).toBe(true);
  });
});

describe("may drop the denial", () => {
  test.each([
    ["Don't use moment, lodash, or jquery.", "The project uses lodash"],
    ["Don't use moment, the old lodash library, or jquery.", "There is the old lodash library"],
    ["Never push to main.", "push to main"],
    ["I never said, we push to main directly.", "The team pushes to main directly"],
    ["I never said that: we push to main directly.", "The team pushes to main directly"],
    ["Push to main directly, never do that again.", "Push to main directly"],
    ["We push to main directly, not any more.", "The team pushes to main directly"],
    ["We push to main directly, not OK.", "The team pushes to main directly"],
    ["We use npm here. Never again!", "The project uses npm"],
    ["We deploy on Fridays, but not in December.", "Deploys are on Fridays"],
    ["We deploy on Fridays, if nothing breaks.", "Deploys are on Fridays"],
    ["We use pnpm here, not npm.", "The project uses npm"],
    ["We use pnpm here, not in CI.", "The project uses pnpm"],
    ["Never do these: push to main; merge without a review.", "Merges go to main"],
    ["The wiki says we use npm, that's not true.", "The project uses npm"],
    ["Nie wieder direkt auf main pushen, auch nicht nachts.", "Direkt auf main pushen"],
    ["Wir pushen direkt auf main, nie wieder!", "Wir pushen direkt auf main"],
    ["On pousse directement sur main, plus jamais ça.", "On pousse directement sur main"],
    ["Subimos directo a main, nunca más.", "Subimos directo a main"],
    ["Enviamos direto para main, nunca mais.", "Enviamos direto para main"],
    ["Мы пушим прямо в main, больше никогда.", "Мы пушим прямо в main"],
    ["不要用moment、lodash或jquery。", "项目用lodash"],
    ["我们直接推送到main，再也不行。", "我们直接推送到main"],
    ["古いlodashのライブラリ、jqueryは使わない。", "古いlodashのライブラリ"],
    ["このリポジトリはpnpmを使います、CIでは使っていません。", "このリポジトリはpnpmを使います"],
  ])("%s | %s", (quote, line) => {
    expect(keepsSense(line, quote)).toBe(false);
  });
});
