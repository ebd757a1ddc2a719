/** Optional fields in the strict sense: absent, never `undefined`. */

type Defined<Fields> = { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** The same record without the fields that are undefined. */
export const defined = <Fields extends object>(fields: Fields): Defined<Fields> =>
  // The filter is what makes the narrower type true; Object.fromEntries cannot say so.
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<Fields>;
