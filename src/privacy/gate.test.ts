import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { createGate } from "./gate.ts";
import { cpuMs } from "../../test/support/cpu-ms.ts";

const gate = createGate({ redact: [] });
const joined = (...pieces: readonly string[]): string => pieces.join("");
/** Pieces are joined here so that no scanner takes this file for a leak. */
const awsId = joined("AKIA", "ZZ7FAKE00EXAMPL3");
const awsSecret = joined("zzz+FAKEsecret/0EXAMPLEonly", "4711abcdXYZ98");
const stripe = joined("sk_", "live", "_51FAKEexample00");
const github = joined("gh", "p", "_FAKE00000000000000000000000000EXAMPLE");
const anthropic = joined("sk-", "ant", "-api03-FAKE-EXAMPLE-0001");
const openai = joined("sk-", "proj", "-FAKEexample0123456789");
const slack = joined("xox", "b", "-1111-FAKE-EXAMPLE");
const google = joined("AI", "za", "SyFAKE_EXAMPLE-0123456789abcdef");
const npm = joined("np", "m", "_FAKEexample000000000000000000000001");
const jwt = joined("eyJ", "hbGciOiJub25lIn0", ".eyJ", "zdWIiOiJmYWtlIn0", ".RkFLRQ");
const pem = joined(
  "-----BEGIN ",
  "RSA",
  " PRIVATE KEY-----\nMIIEfakeFAKEfake0123456789abcdefghijklmnopqrst\nzz==\n-----END RSA PRIVATE KEY-----",
);

test.each([
  ["an AWS pair in prose", `creds: ${awsId} / ${awsSecret}.`, [awsId, awsSecret]],
  ["an AWS pair, secret first", `${awsSecret} belongs to ${awsId}`, [awsId, awsSecret]],
  ["Stripe", `pay with ${stripe}, please`, [stripe]],
  ["GitHub", `GITHUB_TOKEN=${github}`, [github]],
  ["Anthropic", `use ${anthropic}`, [anthropic]],
  ["OpenAI", `use (${openai})`, [openai]],
  ["Slack", `bot ${slack}`, [slack]],
  ["Google", `maps ${google}`, [google]],
  ["npm", `//registry.npmjs.org/:_authToken=${npm}`, [npm]],
  ["a JWT in a header", `curl -H 'Authorization: Bearer ${jwt}' localhost`, [jwt]],
  ["a JWT alone", `token ${jwt}`, [jwt]],
  ["a token behind an escaped newline", String.raw`"out":"a\n${github}\nb"`, [github]],
  ["a private key", `key:\n${pem}\ndone`, ["MIIEfake", "zz=="]],
  ["an unclosed private key", pem.slice(0, 70), ["MIIEfake"]],
  ["the tail of a private key", pem.slice(45), ["fake0123", "zz=="]],
  ["an escaped private key", JSON.stringify({ k: pem.slice(0, 90) }), ["MIIEfake"]],
  ["postgres", "postgres://app:s3cr3t@db:5432/x", ["s3cr3t"]],
  ["redis without a user", "redis://:hunter2@cache:6379", ["hunter2"]],
  ["amqp", "amqp://app:p%40ss@mq/v", ["p%40ss"]],
  ["mongodb with odd characters", "mongodb+srv://app:p@ss/w0rd@h/db", ["p@ss/w0rd", "ss/w0rd"]],
  ["https with a password", "https://me:hunter2@example.org/x", ["hunter2"]],
  ["https with a token", "https://0f9e8d7c6b5a43210fedcba9@example.org/x.git", ["0f9e8d7c6b5a"]],
  ["an env line", "DB_PASSWORD=hunter2", ["hunter2"]],
  ["an env line of letters", "export PGPASSWORD=correcthorse", ["correcthorse"]],
  ["a chosen secret", "JWT_SECRET=keyboard-cat-9", ["keyboard-cat-9"]],
  ["an API key", "SERVICE_API_KEY=ab12cd34ef56", ["ab12cd34ef56"]],
  ["JSON", '{"password": "hunter2"}', ["hunter2"]],
  ["JSON in JSON", String.raw`{\"password\":\"hunter2\"}`, ["hunter2"]],
  ["YAML", "db:\n  password: hunter2\n", ["hunter2"]],
  ["YAML of letters", "  password: correcthorse\n", ["correcthorse"]],
  ["a YAML block", "password: |\n  hunter2x\n", ["hunter2x"]],
  ["code", `const apiKey = "ab12cd34ef56gh78";`, ["ab12cd34ef56gh78"]],
  ["typed code", `const password: string = "hunter2";`, ["hunter2"]],
  ["an index", `env["API_KEY"] = 'ab12cd34ef56'`, ["ab12cd34ef56"]],
  ["properties", "spring.datasource.password=hunter2", ["hunter2"]],
  ["an ADO string", "Server=x;User Id=sa;Password=P@ssw0rd!;", ["P@ssw0rd!"]],
  ["a flag", "deploy --password hunter2 --now", ["hunter2"]],
  ["a flag with an equals sign", "deploy --api-key=ab12cd34", ["ab12cd34"]],
  ["curl -u", "curl -sS -u admin:hunter2 https://x", ["hunter2"]],
  ["netrc", "machine x login me password tok123abc", ["tok123abc"]],
  ["XML", "<password>hunter2</password>", ["hunter2"]],
  ["a query", "GET /v1?api_key=ab12cd34ef56&page=2", ["ab12cd34ef56"]],
  ["a sentence", "the db password is hunter2, remember it", ["hunter2"]],
  ["a sentence about a key", "my api key for staging is 7f83kd93jf83hf72", ["7f83kd93jf83hf72"]],
  ["a passphrase", `passphrase: "correct horse battery staple"`, ["horse battery"]],
  ["a call", `user.setPassword("hunter2")`, ["hunter2"]],
  ["a bearer of letters", "Bearer abcdefghijklmnopqrstuvwxyz", ["abcdefghij"]],
  ["a fake OpenAI key of capitals", joined("sk", "-EXAMPLEFAKEKEYNOTREALabcd"), ["NOTREAL"]],
  ["a cookie", "Cookie: theme=dark; sid=s%3Aabcdef0123456789", ["abcdef0123456789"]],
  ["a Kubernetes secret", "kind: Secret\ndata:\n  url: aHVudGVyMg==\n", ["aHVudGVyMg"]],
  [
    "a password hash",
    "$2b$10$abcdefghijklmnopqrstuvABCDEFGHIJKLMNOPQRSTUVWXYZ01234",
    ["abcdefghij"],
  ],
  ["a webhook", `https://hooks.slack.com/services/T00/B00/FAKE${"x".repeat(12)}`, ["FAKExxx"]],
])("%s is redacted", (_, text, secrets) => {
  const clean = gate.clean(text);
  for (const secret of secrets) expect(clean.text).not.toContain(secret);
  expect(clean.text).toContain("[redacted:");
  expect(clean.redactions).toBeGreaterThan(0);
});

test.each([
  "SECRET_KEY=/Zt9EEjpIJ1gaU5K3YdCXDEuvZ607yMQaxubYdaHoP",
  "aws_secret_access_key = /Yt9EEjpIJ1gaU5K3YdCXDEuvZ607yMQaxubYdaH",
  "AccountName=heron;AccountKey=/4qEDE+jpIJ1gaU5K3YdCXDEuvZ607yMQaxubYdaHeoPV6rA==",
  "DB_PASSWORD=./Xt9EEjpIJ1gaU5",
  "mein passwort ist /Xx3EjpIJ1gaU5K3",
  "hubspot private app token pat-eu1-7b64686d-a421-491f-bb3c-6bda30902bee",
])("a drawn secret may begin as a path does: %s", (text) => {
  expect(gate.clean(text).text).not.toMatch(/pIJ1|7b64/);
});

test.each([
  "NODE_ENV=production PORT=5433 DEBUG=app:*",
  "PASSWORD=/run/secrets/db_password SSH_KEY=/usr/lib/libSDL2x.so SECRET=../../etc/App4Secret7/Key",
  "use a token bucket, then the password reset flow",
  "API_KEY=process.env.API_KEY",
  'const token = process.env["TOKEN"] ?? "";',
  "fixed in 3f786850e387550fdab836ed7e6dc881de23001b (was 3f78685)",
  "session 9b2f3c1e-1111-4222-8333-abcdefabcdef of toolu_01AbCdEfGhIjKlMnOpQrStUv",
  "src/auth/token/passwordReset.ts and ~/code/keys/README.md",
  `"integrity": "sha512-abcDEF0123456789/+abcDEF0123456789=="`,
  "interface User { password: string; token: string }",
  "password: z.string().min(8)",
  "const { password } = req.body; login({ user, password: user.password });",
  "const password = await hash(input)",
  `"usage": {"input_tokens": 12345, "max_tokens": 4096}`,
  `cache.get({ key: "user:123:profile" }), queryKey: ["todos", 1]`,
  "primary key: user_id, foreign key: users.id2, partition_key=created_at",
  "password hashing: argon2id, tokens are JWT with RS256",
  "http://localhost:3000/users/@me https://unpkg.com/@scope/pkg@1.2.3",
  "git@github.com:acme/api.git ssh://git@github.com/acme/api",
  "Authorization: Bearer <token>",
  "Authorization: `Bearer ${token}`",
  "password=${DB_PASSWORD} TOKEN=$GITHUB_TOKEN KEY=${{ secrets.KEY }}",
  "use the --token flag, or --password-stdin",
  "the token is expired; the password must be at least 8 characters",
  "tests pass: 12, fail: 3; author: Jane2; keyboard: qwerty123456",
  "PWD=/home/me/x1 SSH_AUTH_SOCK=/tmp/agent.1 AUTH_URL=https://auth.example.com/v1",
  "docker run -u 1000:1000 -p 8080:80 img",
  "fetch(url, { credentials: 'include' }); auth: { type: 'oauth2' }",
  "bump jsonwebtoken from 8.5.1 to 9.0.0, disk-usage, risk-assessment, task-admin-dashboard-page",
  "if (!pem.startsWith('-----BEGIN PRIVATE KEY-----')) throw new Error('no key in ' + path)",
  "CACHE_KEY=user-v2-list SORT_KEY=createdAtDescending",
  "SELECT password FROM users WHERE id = 1",
  "linkedin: authentication, dropbox: synchronization",
  "kind: Deployment\ndata:\n  url: plain",
  'isToken("semicolon"), getKey("ArrowUp"), t("auth.password.title"), matchPassword("field")',
  "basic understanding, bearer authentication, cookie banner",
  "creds → `Lookup`, all checks pass: `<area>:` or `area: imperative`",
  "**Protocol tests still pass**: `cd e2e && go test -tags=e2e -v -count=1`",
])("ordinary developer talk stays as it is: %s", (text) => {
  expect(gate.clean(text)).toEqual({
    text,
    hidden: [],
    whollyPrivate: false,
    redactions: 0,
    secrets: [],
  });
});

test("a secret goes from the rest of its text as well", () => {
  const between =
    "so I went down to the meeting room with the big screen, opened the laptop of a guest and typed";
  const said = `the wifi password is Plum.Harbor.7, ${between} Plum.Harbor.7 there`;
  expect(gate.clean(said).text).toBe(
    `the wifi password is [redacted:password], ${between} [redacted:secret] there`,
  );
});

test("only the secret goes, not its surroundings", () => {
  expect(gate.clean("postgres://app:s3cr3t@db:5432/x").text).toBe(
    "postgres://app:[redacted:connection-password]@db:5432/x",
  );
  expect(gate.clean("DB_PASSWORD=hunter2 npm start").text).toBe(
    "DB_PASSWORD=[redacted:password] npm start",
  );
  expect(gate.clean('{"password": "hunter2", "user": "me"}').text).toBe(
    '{"password": "[redacted:password]", "user": "me"}',
  );
});

test("private blocks go before secrets, so a secret cut in two by a tag is not put together", () => {
  const clean = gate.clean(`a <private>${github}</private> b ${stripe}`);
  expect(clean.text).toBe("a [redacted:private] b [redacted:stripe-key]");
  expect(clean.hidden).toEqual([github]);
  expect(clean.redactions).toBe(1);
});

test("nothing is trimmed", () => {
  expect(gate.clean("  a\n ").text).toBe("  a\n ");
});

test("the user's own patterns are redacted, and a broken one is taken literally", () => {
  const own = createGate({ redact: [String.raw`PROJ-\d+`, "a(b", ""] });
  expect(own.clean("see proj-42 and a(b, not ab").text).toBe(
    "see [redacted:custom] and [redacted:custom], not ab",
  );
  const greedy = createGate({ redact: ["redacted", "x*"] });
  expect(greedy.clean("redacted").text).toBe("[redacted:custom]");
});

test("an answer loses what the private part of its prompt said, however it is spaced and written", () => {
  const { text, hidden } = gate.clean(
    "Book it. <private>The surgery is on Friday at nine</private>",
  );
  expect(text).toBe("Book it. ");
  expect(
    gate.cleanAgainst("Noted: the SURGERY  is\non Friday at nine, all set.", hidden).text,
  ).toBe("Noted: [redacted:private], all set.");
  expect(gate.cleanAgainst("The weather is fine on Friday.", hidden).text).toBe(
    "The weather is fine on Friday.",
  );
  expect(gate.cleanAgainst("16: the surgery is o", hidden).text).toBe("16: [redacted:private]");
  expect(gate.cleanAgainst("15: the surgery is ", hidden).text).toBe("15: the surgery is ");
});

test("an echo is found in JSON as well, where line ends and quotes are escaped", () => {
  const said = 'first "line" of it\nsecond line';
  const record = JSON.stringify({ command: `echo ${said} >f` });
  expect(gate.cleanAgainst(record, [said]).text).toBe('{"command":"echo [redacted:private] >f"}');
  expect(gate.cleanAgainst(said, [JSON.stringify(said)]).text).toBe("[redacted:private]");
});

test("an answer is cleaned of secrets and blocks as well", () => {
  const answer = `<system-reminder>x</system-reminder>the database password=hunter2 for now`;
  const cleaned = gate.cleanAgainst(answer, ["the database password="]).text;
  expect(cleaned).not.toContain("hunter2");
  expect(cleaned).not.toContain("x<");
  expect(gate.cleanAgainst("plain", []).text).toBe("plain");
});

const secrets = fc.constantFrom(awsId, stripe, github, anthropic, slack, google, npm);
const fragments = fc.constantFrom(
  "password=",
  "token: ",
  "[redacted:",
  "[redacted:jwt]",
  "]",
  '"',
  "'",
  "\\",
  "://",
  "@",
  "eyJ",
  "AKIA",
  "=",
  "Bearer ",
  "-----BEGIN PRIVATE KEY-----",
  "-----END PRIVATE KEY-----",
  "kind: Secret\ndata:\n a: b",
  "aB3dE5gH7jK9mN1pQ",
  " ",
  "\n",
);
const soup = fc
  .array(fc.oneof(fragments, fc.string(), fc.string({ unit: "binary" })), { maxLength: 25 })
  .map((parts) => parts.join(""));

test("the gate never throws and passing it twice changes nothing", () => {
  fc.assert(
    fc.property(soup, (text) => {
      const once = gate.clean(text).text;
      expect(gate.clean(once).text).toBe(once);
    }),
    { numRuns: 1_000 },
  );
});

test("a secret never survives, wherever it stands", () => {
  fc.assert(
    fc.property(soup, secrets, soup, (before, secret, after) => {
      expect(gate.clean(`${before}${secret}${after}`).text).not.toContain(secret);
    }),
    { numRuns: 500 },
  );
});

test("an answer never repeats sixteen characters of what was hidden", () => {
  const word = fc.stringMatching(/^[a-z]{3,9}$/);
  const sentence = fc.array(word, { minLength: 4, maxLength: 12 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(sentence, sentence, fc.nat(), fc.nat(), (hidden, around, from, length) => {
      const start = from % hidden.length;
      const quote = hidden.slice(start, start + 16 + (length % 20));
      const cleaned = gate.cleanAgainst(`${around} ${quote} ${around}`, [hidden]).text;
      for (let at = 0; at + 16 <= hidden.length; at += 1)
        expect(cleaned).not.toContain(hidden.slice(at, at + 16));
    }),
    { numRuns: 300 },
  );
});

test("of a pasted dump the head is enough: blocks go from all of it, and no secret is halved", () => {
  const line = "the password prompt of the server asks for a token twice\n";
  const before = line.repeat(2_000);
  const rest = line.repeat(60_000);
  // Halved by the end of what is looked at, and by nothing else.
  const head = before + " ".repeat(140_000 - before.length - 20) + anthropic + rest;
  const startMs = cpuMs();
  const gated = gate.clean(`${head}<private>kept out of it all</private>${anthropic}`);
  expect(cpuMs() - startMs).toBeLessThan(1_000);
  expect(gated.hidden).toEqual(["kept out of it all"]);
  expect(gated.text.length).toBeGreaterThan(100_000);
  expect(gated.text).toStartWith(line);
  expect(gated.text).not.toContain(anthropic.slice(0, 12));
  expect(gate.cleanAgainst(head, ["the server asks for"]).text).not.toContain("server asks");
});

test("a word that the user allows is kept, and nothing else", () => {
  const text = "the tenant Phoenix!Rising42, login admin / Maulbeere_42!";
  const { text: clean } = createGate({ redact: [], allow: ["Phoenix!Rising42"] }).clean(text);
  expect(clean).toBe("the tenant Phoenix!Rising42, login admin / [redacted:password]");
});

test("what a terminal obeys does not pass, nor does a secret that it cuts in two", () => {
  const text = "a \u001b[31mred\u001b]0;title\u0007 \u0000b\u009b2J \u202ec\r\n\td é 👩‍👩‍👧";
  expect(gate.clean(text).text).toBe("a red b c\r\n\td é 👩‍👩‍👧");
  expect(gate.cleanAgainst(text, []).text).toBe("a red b c\r\n\td é 👩‍👩‍👧");
  expect(gate.clean("key AKIA\u001b[0mIOSFODNN7ABCDEFG").text).not.toContain("ODNN7");
  expect(gate.clean("x <pri\u0000vate>y</private>").text).not.toContain("y");
});
