/** The documented JSON forms of settings and of the way into the viewer (see json.ts for the conventions). */

export interface ConfigItemJson {
  /** `inject.prompt`. */
  readonly key: string;
  readonly section: string;
  /** As TOML writes it, like `default`. */
  readonly value: string;
  readonly default: string;
  /** `default`, `file` or the name of the environment variable. */
  readonly source: string;
  /** What may be said, in words. */
  readonly expected: string;
  /** Every value there is, where they can be listed. */
  readonly choices: readonly string[] | null;
  readonly effect: string;
  /** Environment variable that wins over the file; null = none. */
  readonly variable: string | null;
  /** False: only the file itself and the command line may change it. */
  readonly editable: boolean;
}

export interface ConfigJson {
  readonly path: string;
  readonly items: readonly ConfigItemJson[];
  readonly warnings: readonly string[];
}

export interface LinkCodeJson {
  readonly code: string;
  /** Address for a browser, with the code behind `#`. */
  readonly url: string;
  readonly expires_at: number;
}

export interface TokenJson {
  readonly token: string;
}

export interface ProofJson {
  /** HMAC-SHA256 in hex. */
  readonly proof: string;
}

export interface RotatedJson {
  readonly rotated: true;
}
