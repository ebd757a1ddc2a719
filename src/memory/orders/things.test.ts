/** Orders whose object names something in the answer before, or nothing, in eight languages. All texts are invented. */
import { describe, expect, test } from "bun:test";
import { turnOf } from "../../../test/support/memory/turns.ts";
import { ordersOf, readOrders } from "./orders.ts";

const keptOf = (order: string, previousAnswer: string | null = null): readonly string[] =>
  ordersOf(turnOf(order, { previousAnswer, previousPrompt: "what did you find?" })).map(
    ({ l0 }) => l0,
  );

const command = "The stale locks are cleared by `bin/locks purge --all`. It takes a minute.";
const list = "Three files:\n\n- src/pier.ts\n- src/dock.ts\n- lib/quay.ts\n\nI can replace them.";

describe("code or a list is named by its kind, and means the answer's", () => {
  test.each([
    "write that command down",
    "remember the command for later",
    "cool, save the command",
    "super, speicher dir den Befehl",
    "schreib dir den Befehl auf",
    "halt den Befehl fest",
    "retiens la commande",
    "parfait, note cette commande pour plus tard",
    "garde la commande en tête",
    "guarda el comando",
    "genial, anota el comando",
    "beleza, lembra do comando",
    "guarda esse comando pra próxima",
    "запомни команду",
    "отлично, сохрани эту команду",
    "把这条命令存下来",
    "很好,保存这条命令",
    "コマンドをメモして",
    "いいね、そのコマンドを控えておいて",
    "can you remember that command?",
    "kannst du dir den Befehl merken?",
    "vergiss den Befehl nicht",
    "tu peux retenir la commande ?",
    "merci, mets cette commande en mémoire",
    "¿puedes recordar el comando?",
    "você pode lembrar do comando?",
    "запиши эту команду куда-нибудь",
    "把这个命令记住",
    "そのコマンド、覚えておいて",
  ])("%s", (order) => {
    expect(keptOf(order, command)).toEqual([
      "The stale locks are cleared by `bin/locks purge --all`.",
    ]);
    expect(keptOf(order)).toEqual([]);
  });

  test.each([
    "remember this list, we do it next week",
    "remember that list for later",
    "keep that list",
    "merk dir die Liste, machen wir nächste Woche",
    "behalt die Liste",
    "retiens ces fichiers, on les remplace après la release",
    "garde la liste",
    "recuerda esta lista, la vemos la semana que viene",
    "guarda la lista",
    "lembra dessa lista, a gente faz semana que vem",
    "сохрани список",
    "запомни этот список, займёмся им позже",
    "把这个清单记下来,明天再做",
    "记住这些文件,周一再换",
    "このリストを覚えておいて、来週やるから",
    "リストをメモしておいて",
    "remember these, we fix them next sprint",
    "merk dir die, die machen wir später",
    "retiens ces fichiers, on verra plus tard",
    "recuerda esos archivos, los vemos otro día",
    "запомни эти файлы, разберёмся потом",
    "今はいいけど、リストを覚えておいて",
  ])("%s", (order) => {
    expect(keptOf(order, list)).toEqual(["Three files: src/pier.ts; src/dock.ts; lib/quay.ts"]);
    expect(keptOf(order)).toEqual([]);
  });

  test.each([
    ["keep that list", "The list is sorted now."],
    ["save the command", "It is green."],
    ["save the settings", "It is green."],
    ["keep the list sorted", list],
    ["save the command output", command],
    ["store the steps as json", list],
    ["save the script", command],
    ["guarda la lista en un archivo", list],
    ["сохрани список в файл", list],
    ["把列表保存到数据库", list],
    ["リストを保存してから閉じて", list],
    ["halt den Befehl kurz", command],
  ])("no order: %s", (order, answer) => expect(keptOf(order, answer)).toEqual([]));
});

describe("words that only agree with an answer are no fact", () => {
  const cause = "The export stops because the lambda times out after 3 seconds.";
  test.each([
    "Yes that is the cause. Please make a note of it.",
    "Right, that's the reason. Remember that.",
    "That was the problem indeed. Keep that in mind.",
    "Ja, das ist die Ursache. Merk dir das.",
    "Oui, c'est bien la cause. Note-le.",
    "Eso era el motivo. Recuérdalo.",
    "É, o problema era esse. Anota.",
    "Да, это и есть причина. Запомни это.",
    "是的,原因就是这个。记住这个。",
    "はい、それが原因です。覚えておいて。",
    "retiens la cause",
    "merk dir die Ursache",
    "lembra da causa",
    "запомни причину",
    "原因を覚えておいて",
  ])("%s", (order) => expect(keptOf(order, cause)).toEqual([cause]));

  test("the one that they choose belongs to the answer's proposal", () =>
    expect(
      keptOf("yes the second one, note that down", "I would put pgbouncer in front of the pool."),
    ).toEqual(["I would put pgbouncer in front of the pool."]));
});

describe("a cause is kept with its cure", () => {
  const cured: readonly (readonly [string, string, string])[] = [
    ["remember the cause", "It stops because the limit is 3.", "You need to raise it in `a.yml`."],
    ["remember the cause", "It stops because the limit is 3.", "Setting `max: 30` fixes it."],
    ["merk dir das", "Es bricht ab, weil das Limit 3 ist.", "Abhilfe schafft `limit: 30`."],
    ["retiens ça", "Il s'arrête parce que la limite est 3.", "Il faut mettre 30 dans `a.yml`."],
    ["retiens la cause", "Il s'arrête car la limite est 3.", "Il suffit de mettre 30."],
    ["recuérdalo", "Se corta porque el límite es 3.", "Basta con poner 30 en `a.yml`."],
    ["recuerda la causa", "Se corta porque el límite es 3.", "Hay que poner 30 en `a.yml`."],
    ["anota isso", "Ele para porque o limite é 3.", "Colocar 30 no `a.yml` resolve."],
    ["запомни это", "Обрывается, потому что лимит 3.", "Надо поставить 30 в `a.yml`."],
    ["запомни причину", "Обрывается, потому что лимит 3.", "Помогает 30 в `a.yml`."],
    ["记住这个原因", "导出中断是因为超时只有 3 秒。", "需要在 `a.yml` 里改成 30 秒。"],
    ["覚えておいて", "止まるのは、上限が3だからです。", "`a.yml` で30にすれば直ります。"],
  ];
  test.each(cured)("%s: %s %s", (order, cause, cure) =>
    expect(keptOf(order, `${cause} ${cure}`)).toEqual([`${cause} ${cure}`]),
  );

  test.each([
    ["remember the cause", "It stops because the limit is 3 seconds.", "I raised it in `a.yml`."],
    ["merk dir die Ursache", "Es bricht ab, weil das Limit 3 ist.", "Ich habe es erhöht."],
    ["retiens la cause", "Il s'arrête parce que la limite est 3.", "J'ai changé `a.yml`."],
    ["recuerda la causa", "Se corta porque el límite es 3 segundos.", "Lo he subido en `a.yml`."],
    [
      "запомни причину",
      "Экспорт обрывается, потому что у лямбды лимит 3 секунды.",
      "Я его поднял.",
    ],
  ])("without what was done: %s", (order, cause, done) =>
    expect(keptOf(order, `${cause} ${done}`)).toEqual([cause]),
  );
});

test.each([
  ["The numbers must have no gaps.", "Keep that in mind for every service."],
  ["Die Nummern müssen lückenlos sein.", "Merk dir das auch für die anderen Dienste."],
  ["Die Nummern müssen lückenlos sein.", "Behalt das für jeden Import im Kopf."],
  ["Les numéros doivent se suivre.", "Retiens ça pour tous les modules."],
  ["Los números no pueden tener huecos.", "Recuerda eso para todos los módulos."],
  ["Os números não podem ter lacunas.", "Leve isso em conta nos outros módulos."],
  ["Номера счетов идут без пропусков.", "Запомни это для всех модулей."],
  ["发票号码必须连续。", "记住这点,所有模块都适用。"],
  ["請求書番号は連番でなければなりません。", "全モジュールについて覚えておいて。"],
])("a pointer with where it holds takes the sentence before: %s %s", (fact, order) =>
  expect(keptOf(`${fact} ${order}`)).toEqual([fact]),
);

describe("what a program is to keep is no order, and the agent is told", () => {
  test.each([
    "implement sorting and remember the last column",
    "build the filter bar and remember the selected tab between reloads",
    "make the sidebar collapsible and remember its state",
    "add a theme switch and remember recent choices",
    "Add a theme switch. Remember the user's choice.",
    "bau die Sortierung ein und merk dir die letzte Spalte",
    "rends le menu repliable et mémorise son état",
    "haz la barra plegable y recuerda su estado",
    "coloca um seletor de tema e lembra a escolha do usuário",
    "сделай сортировку и запомни последнюю колонку",
    "做一个主题切换,记住用户的选择",
    "並び替えを実装して、最後の列を覚えておいて",
    "wire up the date picker and remember the last range",
    "crea una página de ajustes y recuerda el idioma elegido",
    "keep in mind that this component is shared with the kiosk",
  ])("%s", (prompt) =>
    expect(readOrders(turnOf(prompt))).toMatchObject({ candidates: [], isDoubtful: true }),
  );

  test.each([
    "note to self not needed, just push it",
    "note to self is not a feature, skip it",
    "dont forget the semicolon in line 40, the build is red",
  ])("nothing at all: %s", (prompt) =>
    expect(readOrders(turnOf(prompt))).toMatchObject({ candidates: [], isDoubtful: false }),
  );

  test.each([
    ["fix the login and remember prod uses bun", "prod uses bun"],
    ["fix it and remember the login needs a vpn", "the login needs a vpn"],
    ["run the tests and remember: the seed is 4711", "the seed is 4711"],
    ["Merge it. Keep in mind the freeze starts friday.", "the freeze starts friday."],
    ["Fix the header. Remember Kim approves all releases.", "Kim approves all releases."],
    ["fix den Login und merk dir der Seed ist 4711", "der Seed ist 4711"],
    ["corrige le test et retiens que la graine est 4711", "la graine est 4711"],
    ["修一下测试,记住种子是4711", "种子是4711"],
    ["テストを直して、シードは4711だと覚えておいて", "テストを直して、シードは4711だ"],
    ["note to self: not all shards are equal", "not all shards are equal"],
  ])("a fact behind a request is one: %s", (prompt, fact) =>
    expect(keptOf(prompt)).toEqual([fact]),
  );
});
