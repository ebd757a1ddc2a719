/** Schemas that the forms of answers are built from. */
import { z } from "zod";

/** `Form` is the type of what a schema describes: nothing that was answered is changed by its reader. */
export type Form<Schema extends z.ZodType> = Frozen<z.output<Schema>>;

export type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value;

export const text = z.string();
export const number = z.number();
export const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullable();
export const list = <Schema extends z.ZodType>(schema: Schema) => z.array(schema);
export const counts = z.record(text, number);
export const named = z.record(text, text);

interface Meaning {
  readonly text: string;
  /** The reference writes its name as `name[]`. */
  readonly isEach: boolean;
}

// Kept beside the schemas: the API's description does not carry them.
const meanings = new WeakMap<z.ZodType, Meaning>();

const promises = new WeakMap<z.ZodType, readonly string[]>();

function told<Schema extends z.ZodType>(schema: Schema, meaning: Meaning): Schema {
  const own = schema.clone(); // Many fields are of one schema, and each means something else.
  meanings.set(own, meaning);
  const promised = promises.get(schema);
  if (promised !== undefined) promises.set(own, promised);
  return own;
}

/** A field with what it means, for people: the command line's reference and help say it. */
export const is = <Schema extends z.ZodType>(schema: Schema, meaning: string): Schema =>
  told(schema, { text: meaning, isEach: false });

/** A list of which the meaning is that of its items. */
export const each = <Item extends z.ZodType>(item: Item, meaning: string): z.ZodArray<Item> =>
  told(list(item), { text: meaning, isEach: true });

/** A form of which programs may count on these fields alone: the API's description leaves the others open. */
export function promising<Shape extends z.core.$ZodLooseShape>(
  promised: readonly (keyof Shape & string)[],
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  const form = z.strictObject(shape);
  promises.set(form, promised);
  return form;
}

/** `promisedOf` lists the fields that a form promises; null = all of it. */
export const promisedOf = (schema: unknown): readonly string[] | null =>
  schema instanceof z.ZodType ? (promises.get(schema) ?? null) : null;

/** A field of an answer as people read of it: `results[].uri`. */
export interface Field {
  readonly name: string;
  readonly meaning: string;
}

/** The fields of a form that have a meaning, in the form's order; of those without, what their own fields mean. */
export function fieldsOf(form: z.ZodObject, before = ""): readonly Field[] {
  return Object.entries(form.shape).flatMap(([key, field]): readonly Field[] => {
    const schema = field as z.ZodType;
    const name = `${before}${key}`;
    const meaning = meanings.get(schema);
    if (meaning !== undefined)
      return [{ name: meaning.isEach ? `${name}[]` : name, meaning: meaning.text }];
    if (schema instanceof z.ZodObject) return fieldsOf(schema, `${name}.`);
    if (schema instanceof z.ZodArray && schema.element instanceof z.ZodObject)
      return fieldsOf(schema.element, `${name}[].`);
    return [];
  });
}
