/** What can be wrong with a database when it is opened. */

/** Why a database could not be opened; the file is left untouched in each case. */
export type OpenError =
  | { readonly type: "store.corrupt"; readonly path: string; readonly detail: string }
  | {
      readonly type: "store.newer";
      readonly path: string;
      readonly found: number;
      readonly known: number;
    }
  /** A backup with tables, triggers or views that are not ours. */
  | { readonly type: "store.foreign"; readonly path: string; readonly detail: string }
  | { readonly type: "store.missing"; readonly path: string }
  /** Opened for reading, and the daemon has yet to upgrade it. */
  | { readonly type: "store.outdated"; readonly path: string }
  | { readonly type: "store.network-file-system"; readonly path: string; readonly detail: string }
  | { readonly type: "store.unavailable"; readonly path: string; readonly detail: string };
