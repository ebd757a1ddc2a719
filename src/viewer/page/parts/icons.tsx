/** Our own icons: sixteen units square, one stroke, the colour of the text around them. */
const paths = {
  memories: "M3 3.5h10M3 8h10M3 12.5h6",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5 14 14",
  sessions: "M2.5 3.5h11v7.5h-6L4.5 13.5V11h-2z",
  review: "M2.5 9h3l1 2h3l1-2h3M2.5 9l2-6h7l2 6v4.5h-11z",
  settings:
    "M2.5 4.5h6M12 4.5h1.5M2.5 11.5H4M7.5 11.5h6M10.2 6.2a1.7 1.7 0 1 0 0-3.4 1.7 " +
    "1.7 0 0 0 0 3.4zM5.7 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z",
  pin: "M6 2.5h4l-.5 4 2 2.5h-7l2-2.5zM8 9v4.5",
  edit: "M10.5 3 13 5.5 6 12.5l-3 .5.5-3z",
  trash: "M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.6 9h5.8l.6-9",
  undo: "M5.5 3 2.5 6l3 3M2.5 6h7a4 4 0 0 1 0 8h-3",
  check: "M3 8.5 6.5 12 13 4.5",
  cross: "M4 4l8 8M12 4l-8 8",
  right: "M6 3.5 10.5 8 6 12.5",
  down: "M3.5 6 8 10.5 12.5 6",
  left: "M10 3.5 5.5 8l4.5 4.5",
  link:
    "M6.5 9.5 9.5 6.5M7 4.5l1.2-1.2a3 3 0 0 1 4.3 4.3L11.3 9M9 11.5l-1.2 1.2a3 3 0 " +
    "0 1-4.3-4.3L4.7 7",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  plus: "M8 3v10M3 8h10",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  sun:
    "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 " +
    "11.9l.7.7M12.6 3.4l-.7.7M4.1 11.9l-.7.7",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z",
  system: "M2 3h12v8H2zM6 14h4M8 11v3",
  spark: "M8 2l1.3 4.7L14 8l-4.7 1.3L8 14l-1.3-4.7L2 8l4.7-1.3z",
  eye:
    "M1.5 8s2.3-4.5 6.5-4.5S14.5 8 14.5 8 12.2 12.5 8 12.5 1.5 8 1.5 8zM8 10a2 2 0 1 0 " +
    "0-4 2 2 0 0 0 0 4z",
  flag: "M3.5 14V2.5h8.5l-2 3.2 2 3.3H3.5",
  inject: "M8 2v8M4.5 7 8 10.5 11.5 7M3 13.5h10",
  folder: "M2 4h4l1.5 1.5H14V13H2z",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.5V8l2.5 1.5",
  user: "M8 8.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 14c.6-2.7 2.7-4 5.5-4s4.9 1.3 5.5 4",
  answer: "M3 3v4a3 3 0 0 0 3 3h7M10 7l3 3-3 3",
  help: "M5.5 6a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .7-1 1.4M8 12.3v.4",
  plug: "M6 2v3.5M10 2v3.5M4 5.5h8V8a4 4 0 0 1-8 0zM8 12v2.5",
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);

/** The product's mark: a thread that goes on. */
export const Mark = () => (
  <svg class="brand-mark" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M4 12c0-3 2-5 4.5-5 4.5 0 4.5 10 9 10 2.5 0 4.5-2 4.5-5s-2-5-4.5-5C13 7 13 17 8.5 17 6 17 4 15 4 12z" />
  </svg>
);
