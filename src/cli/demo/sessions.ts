/**
 * The recorded sessions that `continuity demo` replays: two days of one invented developer on an invented home-office
 * booking service, as the hooks of the client would have sent them. Data only.
 */

export interface DemoTurn {
  readonly prompt: string;
  readonly tools?: readonly {
    readonly name: string;
    readonly input: Readonly<Record<string, string>>;
    readonly output?: string;
    readonly failed?: boolean;
  }[];
  /** Null: the user interrupted the turn, so the client fires no Stop. */
  readonly answer: string | null;
}

export interface DemoSession {
  readonly id: string;
  /** Start, ISO 8601: replayed histories keep their own dates. */
  readonly startedAt: string;
  readonly turns: readonly DemoTurn[];
}

export const demoProject = { name: "deskly", remote: "git@github.com:deskly/deskly.git" };

export const demoSessions: readonly DemoSession[] = [
  {
    id: "office-demo",
    startedAt: "2026-03-02T09:05:00Z",
    turns: [
      {
        prompt: "remember that the staging database listens on port 6432",
        answer: "Noted.",
      },
      {
        prompt:
          "the booking page hangs for everybody in the Lisbon office since the move, have a look",
        tools: [
          { name: "Read", input: { file_path: "src/realtime.ts" } },
          {
            name: "Bash",
            input: { command: "pnpm test realtime" },
            output: "websocket closed: 1006",
            failed: true,
          },
          { name: "Edit", input: { file_path: "src/realtime.ts" } },
        ],
        answer:
          "Root cause: a network configuration issue on the Lisbon office router, its access " +
          "point drops idle websockets after 30 seconds. I send a ping every 20 seconds now; " +
          "the proper fix is to raise the router's idle timeout.",
      },
      { prompt: "good find, remember the cause", answer: "Saved." },
      {
        prompt:
          "we decided to keep bookings in UTC and convert only in the browser. and from now on " +
          "use pnpm here, never npm",
        answer: "Agreed: bookings are stored in UTC, and only the browser converts to local time.",
      },
      {
        prompt:
          "<private>my salary talk with Ines is on Friday</private> rename slot to desk in the API please",
        tools: [{ name: "Edit", input: { file_path: "src/api.ts" } }],
        answer: "Renamed slot to desk in src/api.ts.",
      },
      {
        prompt:
          "check that this works: STRIPE_API_KEY=sk_live_51DemoDemoDemoDemoDemo0000 pnpm billing",
        tools: [
          { name: "Bash", input: { command: "pnpm billing --dry-run" }, output: "3 invoices" },
        ],
        answer: "The dry run lists 3 invoices. Please rotate that key, it went through the chat.",
      },
      { prompt: "ok thanks", answer: "You're welcome." },
    ],
  },
  {
    id: "moving-demo",
    startedAt: "2026-03-09T10:20:00Z",
    turns: [
      {
        prompt: "remember: the staging database moved, it listens on port 7432 now, not 6432",
        tools: [{ name: "Edit", input: { file_path: "deploy/staging.yaml" } }],
        answer: "The staging database port is 7432 now; deploy/staging.yaml is updated.",
      },
      {
        prompt: "ship the release notes to Ines, she signs off everything customers read",
        answer: "Release notes drafted in docs/notes.md for Ines to sign off.",
      },
    ],
  },
];

/** The start of the new sessions, three weeks after the last recorded one. */
export const demoProbesAt = "2026-03-30T08:00:00Z";

/** The prompts of the new sessions, each with the answer that memory has to give; null = silence. */
export const demoProbes: readonly { readonly prompt: string; readonly answer: string | null }[] = [
  { prompt: "which port does our staging database use?", answer: "7432" },
  {
    prompt: "the booking page hangs in Lisbon again, what was the cause last time?",
    answer: "router",
  },
  { prompt: "thanks, looks good", answer: null },
  { prompt: "what does the satisfies operator do in typescript?", answer: null },
];
