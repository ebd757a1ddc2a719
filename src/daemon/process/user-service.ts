/**
 * A service of the user's own that runs the daemon from login on, for those who want the viewer at hand. Optional:
 * hooks start the daemon without one. Pure: text and places.
 */
import { daemonRuntime } from "#hooks";

export type ServiceSystem = "systemd" | "launchd";

export interface ServiceInput {
  /** Absolute path of the program. */
  readonly binary: string;
  /** The home folder when it is not the default. */
  readonly home: string | null;
}

export interface ServiceFile {
  readonly text: string;
  /** Commands that start it and stop it for good, for people. */
  readonly start: string;
  readonly stop: string;
}

const label = "dev.continuity.daemon";
const unit = "continuity.service";

/** The path of the file below the user's home. */
export const servicePlaces: Readonly<Record<ServiceSystem, string>> = {
  systemd: `.config/systemd/user/${unit}`,
  launchd: `Library/LaunchAgents/${label}.plist`,
};

/** The service of a system; null where users have none that we know. */
export const serviceSystemOf = (platform: string): ServiceSystem | null =>
  platform === "linux" ? "systemd" : platform === "darwin" ? "launchd" : null;

/** The text of the unit or agent, and how to start it. */
export const serviceFile = (system: ServiceSystem, input: ServiceInput): ServiceFile =>
  system === "systemd"
    ? {
        text: systemdUnit(input),
        start: `systemctl --user daemon-reload && systemctl --user enable --now ${unit}`,
        // Not `disable`: it does not know a unit whose file is gone, and leaves both the daemon and the link.
        stop: `systemctl --user stop ${unit}; rm -f ~/.config/systemd/user/default.target.wants/${unit}`,
      }
    : {
        text: launchdAgent(input),
        start: `launchctl bootstrap gui/$(id -u) ~/${servicePlaces.launchd}`,
        stop: `launchctl bootout gui/$(id -u)/${label}`,
      };

/**
 * `Restart=on-failure` and not `always`: a daemon that ends because another runs already, or because it was told to,
 * ends well. Stopping takes a few seconds when a model is being asked.
 */
const systemdUnit = ({ binary, home }: ServiceInput): string =>
  [
    "[Unit]",
    "Description=Continuity, memory for Claude Code",
    "",
    "[Service]",
    `ExecStart=${systemdQuoted(binary)} serve --idle-exit never`,
    ...environmentOf(home).map(
      ([name, value]) => `Environment=${systemdQuoted(`${name}=${value}`)}`,
    ),
    "Restart=on-failure",
    "RestartSec=30",
    "TimeoutStopSec=15",
    "UMask=0077",
    "NoNewPrivileges=yes",
    "Nice=5",
    "",
    "[Install]",
    "WantedBy=default.target",
    "",
  ].join("\n");

/** Quotes and backslashes as in C, `%` and `$` doubled: systemd would fill them in. */
const systemdQuoted = (text: string): string =>
  `"${text.replaceAll(/["\\]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;

const launchdAgent = ({ binary, home }: ServiceInput): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    "<dict>",
    `  <key>Label</key><string>${label}</string>`,
    "  <key>ProgramArguments</key>",
    "  <array>",
    ...[binary, "serve", "--idle-exit", "never"].map((word) => `    <string>${xml(word)}</string>`),
    "  </array>",
    "  <key>EnvironmentVariables</key>",
    "  <dict>",
    ...environmentOf(home).map(
      ([name, value]) => `    <key>${name}</key><string>${xml(value)}</string>`,
    ),
    "  </dict>",
    "  <key>RunAtLoad</key><true/>",
    "  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>",
    "  <key>ThrottleInterval</key><integer>30</integer>",
    "  <key>Umask</key><integer>63</integer>",
    "  <key>ProcessType</key><string>Background</string>",
    "</dict>",
    "</plist>",
    "",
  ].join("\n");

const environmentOf = (home: string | null): readonly (readonly [name: string, value: string])[] =>
  Object.entries(home === null ? daemonRuntime : { CONTINUITY_HOME: home, ...daemonRuntime });

const xml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
