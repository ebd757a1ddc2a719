/** The ways in which people forbid something: English first, and seven other languages. */
import { expect, test } from "bun:test";
import { banIn, deedIn, isLastingBan, isPlainBan, sentencesOf } from "#language";
import { guardAgainst } from "./match.ts";

test.each([
  ["I already told you not to push", "git push"],
  ["no rebase, never", "git rebase main"],
  ["リベースは絶対にしないで", "git rebase -i HEAD~3"],
  ["никогда не ребейзи", "git rebase main"],
  ["永远不要新建分支", "git checkout -b neu"],
  ["ブランチを作らないで", "git switch -c neu"],
  ["erstelle nie neue Branches", "git checkout -b neu"],
  ["ne crée jamais de branches", "git checkout -b neu"],
  ["nunca crees ramas", "git checkout -b neu"],
  ["nunca crie branches", "git checkout -b neu"],
  ["никогда не создавай ветки", "git checkout -b neu"],
  ["никогда не удаляй таблицы", "psql -c 'drop table a'"],
  ["lösche niemals Tabellen", "psql -c 'drop table a'"],
  ["ne supprime jamais les tables", "psql -c 'drop table a'"],
  ["nunca borres tablas", "psql -c 'drop table a'"],
  ["nunca apague tabelas", "psql -c 'drop table a'"],
  ["永远不要删除表", "psql -c 'drop table a'"],
  ["テーブルは絶対に削除しないで", "psql -c 'drop table a'"],
  ["nunca abra pull requests", "gh pr create"],
  ["nunca abra um PR sem me perguntar", "gh pr create"],
  ["öffne nie Pull Requests", "gh pr create"],
  ["n'ouvre jamais de pull requests", "gh pr create"],
  ["nunca abras pull requests", "gh pr create"],
  ["никогда не создавай PR", "gh pr create"],
  ["プルリクエストは絶対に作らないで", "gh pr create"],
  ["no force push, ever", "git push -f"],
  ["no merges here, please", "git merge dev"],
  ["never rm -rf data", "rm -rf data/raw"],
  ["never run rm -rf on data", "cd data && rm -rf raw"],
  ["nie rm -rf auf data ausführen", "rm -rf ./data"],
  ["never run `prettier` in vendor/", "prettier --write vendor/a.js"],
  ["never run prettier over the vendor folder", "npx prettier --write vendor/"],
  ["never run black over migrations/", "black app/migrations/"],
  ["ne lance jamais prettier sur le dossier vendor", "prettier --write vendor"],
  ["nunca rode o prettier na pasta vendor", "prettier --write vendor"],
  ["никогда не запускай black по migrations/", "black migrations/"],
  ["please never push without asking me first", "git push"],
  ["you pushed again, stop pushing", "git push"],
  ["don't push to main, ever", "git push origin main"],
  ["no pushing from you, ever", "git push"],
  ["under no circumstances may you push", "git push"],
  ["from now on you must not commit on your own", "git commit -m x"],
  ["I said don't commit unless I ask you to", "git commit -m x"],
  ["never use yarn, this repo is on pnpm", "yarn add x"],
  ["stop using npm!", "npm i"],
  ["we use pnpm in this repo, never npm", "npm i"],
  ["use pnpm, not npm", "npm i"],
  ["no npm here please", "npm i"],
  ["use pnpm instead of npm", "npm install x"],
  ["use uv rather than pip", "pip install x"],
  ["use make test instead of calling pytest", "pytest -x"],
  ["Nimm pnpm statt npm", "npm ci"],
  ["utilise pnpm au lieu de npm", "npm ci"],
  ["usa pnpm en lugar de npm", "npm ci"],
  ["use pnpm em vez de npm", "npm ci"],
  ["используй pnpm вместо npm", "npm ci"],
  ["ne lance jamais les migrations toi-même", "npx prisma migrate deploy"],
  ["n'exécute jamais les migrations", "npx prisma migrate deploy"],
  ["führe nie die Migrationen aus", "npx prisma migrate deploy"],
  ["do not touch the files in parts", "rm parts/x"],
  ["ändere die Dateien in parts nicht", "rm parts/x"],
  ["ne modifie pas les fichiers dans parts", "rm parts/x"],
  ["no cambies los archivos en parts", "rm parts/x"],
  ["não mude os arquivos em parts", "rm parts/x"],
  ["не меняй файлы в parts", "rm parts/x"],
  ["不要修改parts里的文件", "rm parts/x"],
  ["parts内のファイルを変更しないで", "rm parts/x"],
  ["do not touch vendor", "rm vendor/x"],
  ["ne commite jamais sans me demander", "git commit -m x"],
  ["勝手にgit pushしないで", "git push"],
  ["勝手にpushしないで", "git push"],
  ["git pushは禁止", "git push"],
  ["勝手にnpm installしないで", "npm install x"],
  ["never run npm run db:reset", "npm run db:reset"],
  ["don't run make deploy", "make deploy"],
  ["führe nie make deploy aus", "make deploy"],
  ["n'exécute jamais make deploy", "make deploy"],
  ["never run ./deploy.sh", "./deploy.sh"],
  ["don't switch branches", "git checkout develop"],
  ["wechsle nie den Branch", "git switch develop"],
  ["lance pas make deploy", "make deploy"],
  ["touche pas aux fichiers dans vendor", "touch vendor/a"],
  ["schreib nichts in dist", "touch dist/a"],
  ["never use pnpm dlx", "pnpm dlx degit x"],
  ["do not start npm run dev", "npm run dev"],
  ["ne change jamais de branche", "git switch develop"],
  ["no cambies de rama", "git checkout develop"],
  ["não mude de branch", "git switch develop"],
  ["не переключай ветки", "git switch develop"],
  ["不要切换分支", "git switch develop"],
  ["ブランチを切り替えないで", "git switch develop"],
  ["no ejecutes nunca las migraciones", "npx prisma migrate deploy"],
  ["não rode nunca as migrações", "npx prisma migrate deploy"],
  ["никогда больше не запускай миграции", "npx prisma migrate deploy"],
  ["绝对不要再运行迁移", "npx prisma migrate deploy"],
  ["マイグレーションは絶対に実行しないで", "npx prisma migrate deploy"],
  ["用pnpm代替npm", "npm ci"],
  ["用 pnpm 不要用 npm", "npm ci"],
  ["npmは使わないでpnpmを使って", "npm ci"],
  ["npmではなくpnpmを使って", "npm ci"],
  ["never push to release", "git push origin HEAD:release"],
  ["never push to release", "git push --mirror"],
  ["never push to the `qa/next` branch", "git push origin x:qa/next"],
  ["never push to release branches", "git push origin release/9"],
  ["never push to origin", "git push origin x"],
  ["never delete files in uploads/", "git clean -fd uploads"],
  ["don't open merge requests", "glab mr create --fill"],
  ["never run docker compose down -v", "docker compose down -v"],
  ["don't ever run `rm -rf`", "rm -rf x"],
  ["again: do not touch src/legacy", "echo > src/legacy/a"],
  ["hands off the vendor directory", "rm vendor/x"],
  ["leave the generated folder alone", "rm generated/x"],
  ["you edited .env again, never edit .env", "sed -i s/a/b/ .env"],
  ["never edit the .env files", "echo A=1 >> .env.local"],
  ["never edit the .env files", "sed -i s/a/b/ api/.env"],
  ["ändere nie die .env-Dateien", "echo A=1 >> .env.local"],
  ["never delete files in data/", "rm data/x"],
  ["don't modify anything under infra/prod", "touch infra/prod/x"],
  ["never run the tests against production", "NODE_ENV=production npm test"],
  ["never use sudo", "sudo ls"],
  ["never use --force with git", "git push --force"],
  ["never use -f with rm", "rm -rf x"],
  ["don't use --watch with vitest in CI", "vitest --watch"],
  ["never delete branches", "git branch -D x"],
  ["Никогда не удаляй ветки!", "git push origin --delete x"],
  ["bitte nie Branches löschen", "git branch -D x"],
  ["ne supprime jamais de branches", "git branch -D x"],
  ["no borres ramas", "git branch -D x"],
  ["不要删除分支", "git branch -D x"],
  ["never rebase without asking", "git rebase main"],
  ["stop creating branches", "git checkout -b x"],
  ["do not publish yourself", "npm publish"],
  ["never deploy to prod yourself", "npm run deploy -- --env prod"],
  ["don't install new packages without asking", "npm install left-pad"],
  ["n'installe jamais de paquets sans me demander", "npm install left-pad"],
  ["installiere nie Pakete ohne zu fragen", "npm install left-pad"],
  ["no instales nunca paquetes sin preguntar", "npm install left-pad"],
  ["never drop tables", "psql -c 'drop table a'"],
  ["you must never amend commits", "git commit --amend"],
  ["never skip hooks", "git commit --no-verify -m x"],
  ["du sollst nie selbst pushen", "git push"],
  ["ich hab doch gesagt, nicht committen ohne zu fragen", "git commit"],
  ["nie npm benutzen, immer pnpm", "npm i"],
  ["fass den Ordner migrations nicht an", "rm migrations/1"],
  ["je t'ai dit de ne jamais pousser sans demander", "git push"],
  ["n'utilise plus npm", "npm i"],
  ["ne touche plus au dossier migrations", "rm migrations/1"],
  ["ya te dije que no hagas push", "git push"],
  ["no uses npm aquí", "npm i"],
  ["nunca toques la carpeta migrations", "rm migrations/1"],
  ["já falei, não faça push", "git push"],
  ["nunca faça commit sem me perguntar", "git commit -am x"],
  ["não faça push antes de me perguntar", "git push"],
  ["nunca hagas commits sin que yo te lo pida", "git commit -am x"],
  ["não use npm neste projeto", "npm i"],
  ["nunca mexa na pasta migrations", "rm migrations/1"],
  ["não mexe na pasta uploads", "rm -rf uploads/*"],
  ["никогда не используй npm", "npm i"],
  ["не трогай папку migrations", "rm migrations/1"],
  ["никогда не коммить без спроса", "git commit"],
  ["我说过不要用npm", "npm i"],
  ["不要动migrations目录", "rm migrations/1"],
  ["以后别自己提交", "git commit"],
  ["npmは使わないでと言った", "npm i"],
  ["migrationsフォルダを触らないで", "rm migrations/1"],
  ["勝手にプッシュしないで", "git push"],
] as const)("%s: %s", (words, command) => {
  const form = sentencesOf(words)
    .map(({ text }) => banIn(text))
    .find((one) => one !== null);
  if (form === undefined || form === null) throw new Error("no form");
  const deed = { tool: "Bash", command, path: null, cwd: "/p", root: "/p" };
  expect(guardAgainst([{ decision: "ask", form }], deed)).not.toBeNull();
});

test.each([
  "never trust user input",
  "I told you, never use any",
  "never throw in the parser",
  "don't use default exports",
  "never use tabs",
  "nie Kommentare schreiben",
  "always run the linter before you commit",
  "don't add a new endpoint for that",
  "no, use the other function",
  "never return null from the repo layer",
  "don't run in circles",
  "don't run make twice",
  "don't make deploy scripts",
  "do not touch vendor names in the ui",
  "don't touch the files in here",
  "we never ship on Fridays",
  "stop adding emojis",
  "I don't like npm",
  "do not use git submodules",
  "never call setState in render",
  "you never listen",
  "I said use Postgres, not SQLite",
  "no more console.log",
  "don't worry about the tests",
  "never use docker volumes for this",
  "git push marche pas",
  "pas besoin de lancer make deploy",
  "es schreibt nichts in dist/",
  "hör auf, so lange Texte zu schreiben",
  "不要写注释",
  "コメントを書かないで",
  "nunca uses any",
  "n'ajoute pas de commentaires",
  "never store dates as strings in users.ts",
  "don't import from src/internal",
  "you are using npm instead of pnpm again",
  "use tabs instead of spaces",
  "use docker compose instead of docker-compose",
  "use python3 instead of python",
  "for now use pnpm instead of npm",
  "no rebase needed",
  "テーブルを削除して",
  "不要删除表单里的字段",
  "lösche keine Tabellenzeilen",
  "удаляй таблицы после теста",
  "リベースして",
  "no commits yet",
  "no push notifications please",
  "use curl instead of wget for this",
])("nothing to check in: %s", (words) => {
  expect(sentencesOf(words).map(({ text }) => banIn(text))).not.toContainEqual(
    expect.objectContaining({ type: expect.any(String) }),
  );
});

test.each([
  "dont edit .env please",
  "we are on poetry, so please never call pip directly",
  "use pnpm instead of npm",
  "Nimm pnpm statt npm",
  "use pnpm, not yarn",
  "pushe nicht auf main",
  "führe die Migrationen nie aus",
  "schreib nichts in dist",
  "lance pas make deploy",
  "fass den Ordner migrations nicht an",
  "fass die .env nicht an",
])("meant at the first time: %s", (words) => expect(isPlainBan(words)).toBe(true));

test.each(["Migrationen laufen nicht", "der Push klappt nicht", "make deploy geht nicht"])(
  "told, not forbidden: %s",
  (words) => expect(isPlainBan(words)).toBe(false),
);

test.each([
  ["never push to release", "git push origin feature/release-notes"],
  ["never push to develop", "git push -u origin feature/x"],
  ["never delete files in uploads/", "git clean -n uploads"],
  ["don't run migrations", "npx prisma migrate status"],
  ["never use --force with git", "git fetch origin"],
  ["never use -f with rm", "rm x"],
  ["don't switch branches", "git checkout -- a.ts"],
  ["don't run make deploy", "make test"],
  ["never run rm -rf on data", "rm -rf dist"],
  ["never run prettier over the vendor folder", "prettier --write src/"],
  ["never run black over migrations/", "black src/"],
  ["never use sed on the migrations", "sed -i s/a/b/ src/app.ts"],
  ["never rm -rf vendor/", "rm -rf node_modules"],
] as const)("%s, and yet: %s", (words, command) => {
  const form = banIn(words);
  if (form === null) throw new Error("no form");
  const deed = { tool: "Bash", command, path: null, cwd: "/p", root: "/p" };
  expect(guardAgainst([{ decision: "ask", form }], deed)).toBeNull();
});

test("a branch is named in the offer", () => {
  const form = banIn("never push to release");
  expect(form === null ? null : deedIn(form)).toBe("push to release");
});

test.each([
  "npm view lodash version",
  "npm --version",
  "npm -v",
  "npm ls --depth 0",
  "npm outdated",
])("a program that is forbidden may show something: %s", (command) => {
  const form = banIn("never use npm");
  if (form === null) throw new Error("no form");
  const deed = { tool: "Bash", command, path: null, cwd: "/p", root: "/p" };
  expect(guardAgainst([{ decision: "ask", form }], deed)).toBeNull();
});

test("words of a ban tell whether it is for more than this once", () => {
  expect(isLastingBan("don't push without asking me")).toBe(true);
  expect(isLastingBan("don't push yourself")).toBe(true);
  expect(isLastingBan("别自己推送")).toBe(true);
  expect(isLastingBan("don't push")).toBe(false);
});

const sql = (ban: string, command: string) => {
  const form = banIn(ban);
  if (form === null) throw new Error("no form");
  const deed = { tool: "Bash", command, path: null, cwd: "/r", root: "/r" };
  return guardAgainst([{ decision: "ask", form }], deed);
};
test.each([
  ["never drop tables", "psql -c 'drop temporary table x'"],
  ["never drop tables", "mysql -e 'DROP TEMPORARY TABLE IF EXISTS x'"],
  ["never drop tables", "psql -c 'drop foreign table x'"],
  ["never drop tables", "psql -c 'drop unlogged  table x'"],
  ["never drop tables", 'duckdb a.db "drop temp table x"'],
  ["never drop tables", "psql -c 'drop /* old */ table x'"],
  ["never drop tables", "mysql shop -e 'drop tables a, b'"],
  ["never drop databases", "mariadb -e 'drop schema if exists x'"],
  ["never drop databases", "psql -c 'drop database shop'"],
])("%s stops %s", (ban, command) => expect(sql(ban, command)).not.toBeNull());
test.each([
  ["never drop tables", "psql -c 'alter table a drop column b'"],
  ["never edit the .env files", "cp .env.local.bak .env.example"],
  ["never edit the .env files", "echo A=1 >> .envrc"],
  ["never edit the .env file", "echo A=1 >> .env.local"],
  ["never drop tables", "psql -c 'drop index idx on table_a'"],
  ["never drop tables", "psql -c 'drop function table_size()'"],
  ["never drop databases", "psql -c 'drop table x; -- database stays'"],
  ["never drop databases", "mysql -e 'drop user database'"],
  ["never drop databases", "psql -c 'alter schema a drop x'"],
])("%s lets %s pass", (ban, command) => expect(sql(ban, command)).toBeNull());

test.each(["o cache agora fica no redis", "os testes rodam no docker"])(
  "Portuguese for where something is forbids nothing: %s",
  (words) => {
    expect(banIn(words)).toBeNull();
  },
);
