/** Where things lie in the home folder (60-operations, "Files"). Pure: nothing here touches the disk. */

export interface HomePaths {
  readonly root: string;
  readonly database: string;
  readonly config: string;
  readonly token: string;
  /** The page that leads a browser to the viewer, while a link is open. */
  readonly viewerLink: string;
  readonly daemonJson: string;
  readonly lock: string;
  /** The default socket; daemon.json may name another when this path is too long for the system. */
  readonly socket: string;
  readonly spool: string;
  readonly backups: string;
  readonly archive: string;
  readonly logs: string;
}

export const homePaths = (root: string): HomePaths => ({
  root,
  database: `${root}/continuity.db`,
  config: `${root}/config.toml`,
  token: `${root}/token`,
  viewerLink: `${root}/viewer-link.html`,
  daemonJson: `${root}/daemon.json`,
  lock: `${root}/daemon.lock`,
  socket: `${root}/daemon.sock`,
  spool: `${root}/spool`,
  backups: `${root}/backups`,
  archive: `${root}/archive`,
  logs: `${root}/logs`,
});

/** `$CONTINUITY_HOME`, else `~/.continuity`. Symlinks are resolved by whoever opens it. */
export const homeRoot = (env: Readonly<Record<string, string | undefined>>): string =>
  env["CONTINUITY_HOME"] || `${env["HOME"] ?? env["USERPROFILE"] ?? "."}/.continuity`;

/** What the running daemon says about itself in daemon.json. */
export interface DaemonRecord {
  readonly pid: number;
  /** Process start time as the system tells it, to recognise a recycled pid. */
  readonly startedAt: string;
  readonly version: string;
  /** TCP port for people; null when none of ten was free. */
  readonly port: number | null;
  readonly socket: string;
}
