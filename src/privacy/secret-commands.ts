/**
 * Tells what is never captured: files that hold secrets, and what commands print that show them.
 * Commands that print secrets are those of password managers, vaults, generators, decryption. What they
 * answer is never kept, even in part, for a password made of words looks like any other text. Pure;
 * a hook loads it.
 */

/**
 * The places where a command may begin: at the start, behind an operator, in a substitution, behind
 * `sudo` or variables.
 */
const begins =
  String.raw`(?:^|[|;&({\n]|\x60|\$\(|\b(?:ba|z|da)?sh\s+-\w*c\s+["'])\s*(?:(?:sudo|time|command` +
  String.raw`|exec|nohup|env|winpty)\s+(?:-\S+\s+)*)*(?:[A-Za-z_]\w*=\S*\s+)*`;

/** Options between a program and its sub-command. */
const opts = String.raw`(?:\s+-{1,2}[\w-]+(?:[= ](?!-)[\w./:@-]+)?)*?\s+`;

/** Programs, and what stands behind their names. */
const programs: readonly (readonly [names: string, rest: string])[] = [
  // Password managers.
  ["op", String.raw`${opts}(?:read|inject|run|item\s+(?:get|list)|document\s+get|get)\b`],
  ["gopass|pass", String.raw`\s+(?:show|otp|cat|generate|grep|pwgen|-c|--clip)\b`],
  ["gopass|pass", String.raw`\s+[\w.-]+/[\w./@-]+\s*(?:$|[|;&)\n])`],
  ["bw", String.raw`${opts}(?:get|list|export|generate|unlock|login)\b`],
  [
    "lpass|keepassxc-cli|kpcli|rbw|enpass-cli|dcli|pass-cli|proton-pass",
    String.raw`\s+(?:show|get|clip|export|generate|code|password|note|read|unlocked)\b`,
  ],
  [
    "security",
    String.raw`\s+(?:find-(?:generic|internet)-password\b[^\n|;]*\s-\w*[wg]|export\b|dump-keychain\b)`,
  ],
  ["secret-tool", String.raw`\s+(?:lookup|search)\b`],
  ["kwallet-query|Get-Secret|Get-StoredCredential|Get-AzKeyVaultSecret", String.raw`\b`],
  ["git", String.raw`\s+credential(?:-\w+)?\s+(?:fill|get)\b`],
  ["docker-credential", String.raw`-\w+\s+get\b`],
  // Vaults and clouds.
  [
    "vault|bao",
    String.raw`${opts}(?:read|unwrap|print\s+token|kv\s+get|token\s+create|login|write\s+-f\s)`,
  ],
  [
    "aws",
    String.raw`${opts}(?:secretsmanager\s+(?:get-secret-value|batch-get-secret-value|get-random-password)` +
      String.raw`|ssm\s+get-parameters?\b[^\n|;]*--with-decryption` +
      String.raw`|ssm\s+get-parameters-by-path\b[^\n|;]*--with-decryption|sts\s+(?:assume-role|get-session-token` +
      String.raw`|get-federation-token)|iam\s+create-access-key|ecr\s+get-(?:login|authorization)|kms\s+decrypt` +
      String.raw`|configure\s+(?:get|export-credentials))`,
  ],
  [
    "gcloud",
    String.raw`${opts}(?:\w+\s+){0,2}(?:secrets\s+versions\s+access` +
      String.raw`|auth\s+(?:application-default\s+)?print-(?:access|identity|refresh)-token` +
      String.raw`|iam\s+service-accounts\s+keys\s+create)`,
  ],
  [
    "az",
    String.raw`${opts}(?:keyvault\s+secret\s+(?:show|download)|account\s+get-access-token` +
      String.raw`|storage\s+account\s+(?:keys|show-connection-string)|ad\s+sp\s+(?:create-for-rbac|credential)` +
      String.raw`|acr\s+(?:credential|login\s+--expose)|\w+\s+keys\s+list)`,
  ],
  [
    "kubectl|oc|k",
    String.raw`${opts}(?:get\s+secrets?(?:/\S+)?\b(?=[^\n|;]*(?:\s-o\s?|\s--output[= ]|\s--template)` +
      String.raw`(?!\s?(?:name|wide)\b))|view-secret|create\s+token|config\s+view\b[^\n|;]*--raw|whoami\s+-t)`,
  ],
  ["helm", String.raw`\s+get\s+(?:values|all)\b`],
  [
    "doppler",
    String.raw`${opts}(?:secrets(?!\s+(?:set|delete|upload))|run\b[^\n]*\b(?:printenv|env)\b` +
      String.raw`|configs\s+tokens\s+create)`,
  ],
  [
    "infisical|chamber|teller|berglas|conjur|envchain|dotenvx|phase",
    String.raw`\s+(?:secrets|export|read|show|env|access|variable\s+get|get|decrypt|list)\b`,
  ],
  ["consul", String.raw`\s+kv\s+get\b`],
  ["etcdctl", String.raw`\s+get\b`],
  // Platforms.
  ["gh|glab", String.raw`\s+auth\s+(?:token|status\b[^\n|;]*(?:\s-t\b|--show-token))`],
  ["heroku", String.raw`\s+(?:config(?!:(?:set|unset|add|remove))|auth:token|pg:credentials)`],
  ["fly|flyctl", String.raw`\s+(?:auth\s+token|tokens\s+create)`],
  ["railway|rlwy", String.raw`\s+variables\b`],
  ["netlify", String.raw`\s+env:(?:get|list)`],
  ["vercel", String.raw`\s+env\s+pull`],
  ["npm", String.raw`\s+(?:token\s+create|config\s+get\s+\S*_auth)`],
  [
    "terraform|tofu|terragrunt",
    String.raw`${opts}(?:output\b(?=[^\n|;]*\s(?:-raw|-json)\b)|state\s+pull|show\s+-json)`,
  ],
  [
    "pulumi",
    String.raw`\s+(?:config\s+get|stack\s+output\b[^\n|;]*--show-secrets|config\b[^\n|;]*--show-secrets)`,
  ],
  // An environment elsewhere.
  [
    "docker|podman|nerdctl|kubectl|oc|k|heroku|fly|docker-compose|ssh|vagrant",
    String.raw`\s[^\n|;]{0,300}\s(?:printenv|env)\s*(?:$|["'|;&)\n]|[A-Z]\w*)`,
  ],
  ["docker", String.raw`(?:\s+inspect\b[^\n|;]*\.Env|[\s-]compose\s+config\b)`],
  ["declare", String.raw`\s+-x`],
  ["export", String.raw`\s+-p`],
  ["launchctl", String.raw`\s+getenv`],
  // Generators and decryption.
  [
    "openssl",
    String.raw`\s+(?:rand|genrsa|genpkey|gendsa|pkey|rsa|ec|pkcs12|passwd|ecparam\b[^\n|;]*-genkey` +
      String.raw`|enc\b[^\n|;]*\s-d\b)`,
  ],
  ["pwgen|apg|diceware|xkcdpass|mkpasswd|age-keygen", String.raw`\b`],
  ["wg", String.raw`\s+(?:genkey|genpsk|showconf|show\s+\S+\s+(?:private-key|preshared-keys))`],
  ["sops", String.raw`\s+(?:[^\n|;]*\s)?(?:-d|--decrypt|decrypt|exec-env|edit)\b`],
  ["age|rage|gpg|gpg2", String.raw`\s+(?:[^\n|;]*\s)?(?:-d|--decrypt|--export-secret-\w+)\b`],
  ["ansible-vault", String.raw`\s+(?:view|decrypt|edit)\b`],
  ["rails|rake|bin/rails", String.raw`\s+(?:credentials:(?:show|edit)|secret)\b`],
  ["php", String.raw`\s+artisan\s+key:generate\s+--show`],
  ["base64|gbase64", String.raw`\s+(?:-\w+\s+)*(?:-d|-D|--decode)\b`],
];

/** Longer commands are scripts; enough of one is looked at. */
const commandCharsMax = 8_000;

/**
 * Each is built when a command has the first word of one of its programs: to build one of all takes a hook 3 ms, and
 * few commands have such a word.
 */
const commands = programs.map(([names, rest]) => {
  let pattern: RegExp | null = null;
  return {
    heads: names.split("|").map((name) => /^\w+/.exec(name)?.[0] ?? name),
    isIn: (command: string): boolean =>
      (pattern ??= new RegExp(`${begins}(?:${names})${rest}`)).test(command),
  };
});

/** True for a command whose output may be a secret. */
export function readsSecrets(command: string): boolean {
  const seen = command.slice(0, commandCharsMax);
  const words = new Set(seen.match(/\w+/g));
  return commands.some(({ heads, isIn }) => heads.some((head) => words.has(head)) && isIn(seen));
}

// Tells the files that are never captured, not even in part: `.env`-like files, keys and credential stores. Pure.

/** Harmless by convention: they show the names of variables, not their values. */
const examples = /^\.env(?:\.[\w-]+)*\.(?:example|sample|template|dist|defaults)$/;

/** Base names, lower case. */
const secretNames: readonly RegExp[] = [
  /^\.env(?:\..+)?$/,
  /^\.envrc$/,
  /\.env$/,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|p8|ovpn|tfvars|tfstate)$/,
  /\.(?:tfvars|tfstate)\.(?:json|backup)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?!.*\.pub$)/,
  /^[._]netrc$/,
  /^\.(?:npmrc|pypirc|pgpass|my\.cnf|git-credentials|dockercfg|htpasswd|vault-token|s3cfg|boto|yarnrc\.yml)$/,
  /^\.?credentials(?:\.(?:json|csv|ya?ml|toml|ini|xml|db))?$/,
  /[-_.]credentials\.(?:json|csv|ya?ml)$/,
  /^\.?secrets?\.(?:ya?ml|json|toml|ini|env|txt|enc\.ya?ml)$/,
  /^kubeconfig(?:$|\.)|\.kubeconfig$/,
  /^service[-_]?account.*\.json$/,
  /^client_secret.*\.json$/,
];

/** Folder and name together, for names that are harmless elsewhere. */
const secretPlaces = new RegExp(
  String.raw`(?:^|\/)(?:\.kube\/config|\.docker\/config\.json|\.ssh\/(?!(?:config|known_hosts|authorized_keys)$` +
    String.raw`|.*\.pub$).+|\.gnupg\/.+|\.continuity\/token)$`,
);

/** True for paths whose contents must never be kept. Both kinds of slash; any case. */
export function isSecretPath(path: string): boolean {
  const clean = path.trim().replaceAll("\\", "/").toLowerCase();
  const name = clean.slice(clean.lastIndexOf("/") + 1);
  if (examples.test(name)) return false;
  return secretNames.some((pattern) => pattern.test(name)) || secretPlaces.test(clean);
}
