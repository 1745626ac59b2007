import type { z } from 'zod';

/** A value as nobody may change it any more. */
export type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Frozen<Value[Name]> }
    : Value;

/** A value of a schema as it is shown. */
export type View<Schema extends z.ZodType> = Frozen<z.output<Schema>>;
