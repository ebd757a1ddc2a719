/** When an agent's line is shown as its user's word, and when the quote is: a paraphrase may carry anything. */
import { describe, expect, test } from "bun:test";
import { userWordOf } from "./user-word.ts";

interface More {
  readonly known?: readonly string[];
  readonly earlier?: readonly string[];
}

const shown = (quote: string, line: string, { known = [], earlier = [] }: More = {}) =>
  userWordOf({
    line,
    value: null,
    quote,
    prompt: quote,
    answerBefore: null,
    alsoTyped: [],
    known,
    earlier,
  });

describe("says something else than the quote, which is shown", () => {
  test.each([
    // A word put in, or another one.
    ["Push to main when the tests pass.", "Push to main without asking when the tests pass"],
    [
      "Run the tests and the linter before every push.",
      "Skip the tests and the linter before every push",
    ],
    [
      "Run the tests and the linter before every push.",
      "Run the tests and the linter after every push",
    ],
    ["Every change to billing is read by Anna.", "Every change to billing is approved by Anna"],
    ["Keep three backups of the database.", "Keep zero backups of the database"],
    ["The demo account is called falcon.", "The demo account is called mallory"],
    ["Anna approves releases of billing.", "Mallory approves releases of billing"],
    [
      "Use lodash for the debounce helper of the client.",
      "Use lodahs for the debounce helper of the client",
    ],
    [
      "Pousse sur main quand les tests passent.",
      "Pousse sur main sans demander quand les tests passent",
    ],
    [
      "Führe vor jedem Push die Tests und den Linter aus.",
      "Überspringe vor jedem Push die Tests und den Linter",
    ],
    [
      "Lance les tests et le linter avant chaque push.",
      "Saute les tests et le linter avant chaque push",
    ],
    [
      "Ejecuta los tests y el linter antes de cada push.",
      "Omite los tests y el linter antes de cada push",
    ],
    [
      "Rode os testes e o linter antes de cada push.",
      "Pule os testes e o linter antes de cada push",
    ],
    ["Запускай тесты и линтер перед каждым пушем.", "Пропускай тесты и линтер перед каждым пушем"],
    ["每次推送之前先运行测试和代码检查。", "每次推送之前先跳过测试和代码检查"],
    [
      "プッシュの前に必ずテストとリンターを実行する。",
      "プッシュの前に必ずテストとリンターを省略する",
    ],
    ["数据库的备份保留三份。", "数据库的备份保留一份"],
    // Words in another order.
    ["Ask Anna first, then deploy.", "Deploy first, then ask Anna"],
    [
      "Staging is on 5433 and production is on 5432.",
      "Production is on 5433 and staging is on 5432",
    ],
    ["We use pnpm here, not npm.", "We use npm here, not pnpm"],
    ["We move from mysql to postgres.", "We move from postgres to mysql"],
    [
      "Don't touch the lockfile, commit to main freely.",
      "Don't commit to main, touch the lockfile freely",
    ],
    // A part of a clause, or of two.
    ["I hate it when agents push to main.", "agents push to main"],
    ["The wiki claims that we deploy from laptops.", "we deploy from laptops"],
    ["It would be a disaster if somebody disabled the firewall.", "somebody disabled the firewall"],
    ["I refuse to store card numbers in the log.", "store card numbers in the log"],
    ["Disabling TLS checks in the client is far too risky.", "Disabling TLS checks in the client"],
    ["Es ist verboten, das Schema zu ändern.", "das Schema zu ändern"],
    ["Il est interdit de modifier le schéma.", "modifier le schéma"],
    ["Evita usar eval en las plantillas.", "usar eval en las plantillas"],
    ["É proibido alterar o esquema do banco.", "alterar o esquema do banco"],
    ["Запрещаю менять схему базы.", "менять схему базы"],
    ["我很讨厌代理直接推送到主分支。", "代理直接推送到主分支"],
    ["拒绝任何绕过审核的合并。", "任何绕过审核的合并"],
    ["Delete the draft. Rename the production database.", "Delete the production database"],
    ["Mallory is a new intern. Anna may approve releases.", "Mallory may approve releases"],
    ["Anna may approve releases but Mallory may only read.", "Mallory may approve releases"],
    ["translate into German: always use yarn in here", "always use yarn in here"],
    // Without what it stands under.
    ["If the build is broken, force push the old commit.", "force push the old commit"],
    ["We deploy on Fridays, unless Anna objects.", "We deploy on Fridays"],
    ["Wir deployen freitags, außer Anna ist krank.", "Wir deployen freitags"],
    ["On déploie le vendredi, sauf avis contraire.", "On déploie le vendredi"],
    ["Desplegamos los viernes, salvo en agosto.", "Desplegamos los viernes"],
    ["Деплоим по пятницам, если Анна согласна.", "Деплоим по пятницам"],
    ["我们周五部署，除非安娜反对。", "我们周五部署"],
    ["Should we skip reviews? I think the tests are fine.", "skip reviews"],
    ["maybe we could drop the reviews of small changes", "drop the reviews of small changes"],
    // Marks alone.
    ["No, push to the branch main.", "No push to the branch main"],
    ["Keep 1.5 GB free on the build machine.", "Keep 15 GB free on the build machine"],
  ])("%s | %s", (quote, line) => {
    const judged = shown(quote, line);
    expect(judged.by === "user" ? judged.isFaithful : false).toBe(false);
  });

  test.each([
    [
      "the port of staging is fine",
      "run the script at boot, the port is fine",
      "never run the script at boot",
    ],
    [
      "thanks for the port of staging",
      "production port is 5433",
      "staging port is 5433, production 5432",
    ],
    [
      "the database is fine",
      "the database is fine to be wiped by Anna",
      "the database may be wiped by nobody but Anna",
    ],
  ])("%s | %s: a line that is replaced lends no order and loses no denial", (quote, line, old) => {
    const judged = shown(quote, line, { known: [old] });
    expect(judged.by === "user" ? judged.isFaithful : false).toBe(false);
  });

  test("the quote is kept as it was typed, whatever marks the agent puts in", () => {
    const judged = userWordOf({
      line: "delete build before each run",
      value: null,
      quote: "delete build_* before each run",
      prompt: "delete build before each run",
      answerBefore: null,
      alsoTyped: [],
      known: [],
    });
    expect(judged).toMatchObject({ by: "user", quote: "delete build before each run" });
  });
});

describe("says what was typed, and is shown", () => {
  test.each([
    ["Thanks, that works. The web shop is called Heron.", "The web shop is called Heron"],
    ["by the way, the scanner service listens on 7071", "The scanner service listens on 7071"],
    ["ok. we ship on tuesdays and thursdays", "We ship on Tuesdays and Thursdays"],
    [
      "the batch leaves on the 5th, the treasurer checks it before noon",
      "The batch leaves on the 5th",
    ],
    [
      "Windows at 3 seconds, please, since the cough is over by then.",
      "Windows at 3 seconds, since the cough is over by then",
    ],
    ["protea gives us 24h wall time and somebody wrote 9 in 2025", "protea gives us 24h wall time"],
    ["the prod bucket is s3://depot-labels-eu", "prod bucket: s3://depot-labels-eu"],
    [
      "Also Dana from legal approves every new tracker.",
      "Dana from legal approves every new tracker",
    ],
    ["übrigens, die Staging-Datenbank läuft auf 5433", "Die Staging-Datenbank läuft auf 5433"],
    [
      "ok. le lot part le 5 de chaque mois à 6h, Bérengère le valide",
      "le lot part le 5 de chaque mois à 6h",
    ],
    [
      "et no_proxy sur .aurelieu.example sinon ça tourne en rond",
      "no_proxy sur .aurelieu.example sinon ça tourne en rond",
    ],
    [
      "por cierto, el servidor de pruebas está en el puerto 5433",
      "El servidor de pruebas está en el puerto 5433",
    ],
    ["aliás, a janela é domingo 5h", "A janela é domingo 5h"],
    ["кстати, тестовая база слушает порт 5433", "Тестовая база слушает порт 5433"],
    ["测试环境的端口是5433，密码在保险库里。", "测试环境的端口是5433"],
    ["提交信息请用英文写。", "提交信息用英文写"],
    ["受注CSVはCP932で出す。", "受注CSVはCP932で出す"],
    ["負荷は毎秒40を見込んで。k6のシナリオある？", "負荷は毎秒40を見込んで"],
  ])("%s | %s", (quote, line) => {
    expect(shown(quote, line)).toMatchObject({ by: "user", isFaithful: true });
  });

  test("with the line that it replaces, or with what was typed before", () => {
    const known = ["the demo account is called heron"];
    expect(
      shown("no, it's falcon now", "the demo account is called falcon now", { known }),
    ).toMatchObject({ by: "user", isFaithful: true });
    const earlier = ["let's build the pix automático screen"];
    expect(
      shown("flag it in Unleash, per client", "pix automático: flag it in Unleash, per client", {
        earlier,
      }),
    ).toMatchObject({ by: "user", isFaithful: true });
  });
});
