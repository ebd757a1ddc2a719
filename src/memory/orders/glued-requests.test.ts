/** A request glued behind the fact of an order, with or without a word that leads on to it, is no part of the fact. */
import { expect, test } from "bun:test";
import { turnOf } from "../../../test/support/memory/turns.ts";
import { ordersOf } from "./orders.ts";

const kept = (prompt: string): string =>
  ordersOf(turnOf(prompt))
    .map(({ l0 }) => l0)
    .join(" | ");

test.each([
  [
    "remember that the staging db lives on port 5544, so now fix the header component",
    "5544",
    "header",
  ],
  [
    "keep in mind that our CI runs on Woodpecker, anyway, can you explain the failing test",
    "Woodpecker",
    "failing test",
  ],
  ["note that the API version is v7, and also run the linter once more", "v7", "linter"],
  [
    "garde en tête que le port de test est 8123, bon, explique-moi le fichier main.ts",
    "8123",
    "explique",
  ],
  ["souviens-toi que la recette tourne sur zeus-2, et sinon corrige le bouton", "zeus-2", "bouton"],
  [
    "merk dir, dass der Testserver kranich heißt, so und jetzt bau mir die Suche ein",
    "kranich",
    "Suche",
  ],
  [
    "denk dran, dass wir Node 22 nutzen, ach und schau dir noch den roten Test an",
    "Node 22",
    "roten Test",
  ],
  ["recuerda que la base de pruebas se llama lince, bueno, ahora arregla el menú", "lince", "menú"],
  ["ten en cuenta que usamos yarn 4, y además explícame este error", "yarn 4", "explícame"],
  ["lembra que o servidor de testes é o tucano, enfim, corrige o rodapé", "tucano", "rodapé"],
  [
    "запомни, что тестовая база называется сокол, и ещё поправь отступы в шапке",
    "сокол",
    "отступы",
  ],
  ["имей в виду, что релизы по четвергам, ладно, теперь объясни этот код", "четвергам", "объясни"],
  ["记住测试服务器是 heron-4,另外帮我修一下登录页", "heron-4", "登录页"],
  ["テストDBの名前はfalconだと覚えておいて、あとヘッダーを直して", "falcon", "ヘッダー"],
  [
    "keep in mind the mirror is at port 8081, also could you check the lockfile",
    "8081",
    "lockfile",
  ],
  ["remember that backups run at 3am, by the way, rename utils to helpers", "3am", "helpers"],
  [
    "remember our bucket is called otter-prod, but first run the tests",
    "otter-prod",
    "run the tests",
  ],
  [
    "remember that the token lives in vault, while you're at it, clean up the imports",
    "vault",
    "imports",
  ],
  ["note that Kim owns billing, separately, write a test for the parser", "Kim", "parser"],
  [
    "remember that the demo box is heron-9, ok next: look at the failing build",
    "heron-9",
    "failing",
  ],
  [
    "merk dir, dass der Spiegel auf 8081 läuft, ach ja, und räum die Imports auf",
    "8081",
    "Imports",
  ],
  ["merk dir, dass Kim die Rechnungen macht, außerdem prüf bitte den Lockfile", "Kim", "Lockfile"],
  ["denk dran, dass die Backups um 3 laufen, davon abgesehen: zeig mir den Diff", "um 3", "Diff"],
  ["retiens que le miroir est sur 8081, sinon tu peux vérifier le lockfile ?", "8081", "lockfile"],
  ["retiens que Kim gère la facturation, bref, montre-moi le diff", "Kim", "diff"],
  [
    "n'oublie pas que les backups tournent à 3h, et au passage nettoie les imports",
    "3h",
    "imports",
  ],
  ["recuerda que Kim lleva la facturación, en fin, enséñame el diff", "Kim", "diff"],
  ["ten presente que el espejo está en 8081, ya que estás limpia los imports", "8081", "imports"],
  ["lembra que a Kim cuida do faturamento, aliás, mostra o diff", "Kim", "diff"],
  ["lembra que o espelho fica na 8081, e também limpa os imports", "8081", "imports"],
  ["запомни, что зеркало на 8081, а ещё почини импорты", "8081", "импорты"],
  ["запомни, что бэкапы в 3 ночи, короче, покажи дифф", "3 ночи", "дифф"],
  ["记住镜像在 8081 端口,还有,帮我整理一下 import", "8081", "import"],
  ["记住 Kim 负责账单。对了,看一下失败的测试", "Kim", "失败"],
  ["ミラーは8081番だと覚えておいて。それと、テストを直して", "8081", "テスト"],
  ["バックアップは3時だと覚えておいて、そういえばREADMEを更新しておいて", "3時", "README"],
  ["rule: no barrel files in src/. you added one in hooks again, remove it", "barrel", "hooks"],
  ["remember that Kim signs invoices. The logo is cut off too, mend that.", "Kim", "logo"],
  [
    "note pour plus tard : le miroir est sur 8081. là regarde pourquoi le test est rouge",
    "8081",
    "rouge",
  ],
  ["ten en cuenta que el espejo cae los lunes. y mira si el log está vacío", "lunes", "log"],
  ["メモしといて、ミラーは8081番。それとREADMEの更新もお願い", "8081", "README"],
  [
    "correct this mail, and from now on sign it with The Ondine Team:\n\nHello, do not forget the depot.",
    "Ondine",
    "depot",
  ],
])("%s", (prompt, fact, request) => {
  expect(kept(prompt)).toContain(fact);
  expect(kept(prompt)).not.toContain(request);
});

test.each([
  ["always run the linter, and also run the tests", "linter|tests"],
  ["remember that you should first build, then run the tests", "run the tests"],
  ["remember: when you add a route, also update the docs", "update the docs"],
  ["merk dir: immer erst den Linter laufen lassen und danach die Tests", "Tests"],
  ["retiens qu'il faut d'abord compiler, et ensuite lancer les tests", "lancer les tests"],
  ["recuerda que primero hay que compilar y después lanzar los tests", "lanzar los tests"],
  ["запомни: сначала собери, потом запусти тесты", "тесты"],
  ["记住:先构建,然后运行测试", "运行测试"],
  ["覚えておいて:先にビルドして、あとでテストを実行する", "テスト"],
  ["remember that Tilda signs invoices, and Ines signs contracts", "Ines"],
  ["keep in mind that the port is 4402, so the proxy must use 4403", "4403"],
  ["remember that we use pnpm, also in the docs", "docs"],
  ["from now on use tabs, and also format the imports", "imports"],
  ["lembra que a porta é 4402, e o proxy usa 4403", "4403"],
  ["remember that Kim owns billing. For each change, ask her first.", "ask her"],
])("a part of what holds stays: %s", (prompt, parts) => {
  for (const part of parts.split("|")) expect(kept(prompt)).toContain(part);
});
