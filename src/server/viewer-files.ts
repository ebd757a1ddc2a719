/** The viewer's files as the server sees them: bytes by name. What is in them is the viewer's affair. */

export interface ViewerFiles {
  /** The page, with this nonce on its scripts and styles. */
  readonly page: (nonce: string) => string;
  /** A file by its name (the last part of its path); null when there is none of that name. */
  readonly asset: (name: string) => ViewerAsset | null;
}

export interface ViewerAsset {
  /** MIME type. */
  readonly type: string;
  readonly gzip: Uint8Array;
  /** Without quotes. */
  readonly etag: string;
}
