/** Which files are never captured, not even in part: `.env`-like files, keys and credential stores. Pure. */

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
