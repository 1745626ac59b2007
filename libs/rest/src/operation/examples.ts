import type { z } from 'zod';
import EXAMPLES from './examples.json' with { type: 'json' };
import type { View } from './frozen.js';

const BY_NAME: Readonly<Record<string, readonly unknown[] | undefined>> = EXAMPLES;

/** The examples of a schema as documents show them: by its name, or those that it states itself. */
export function examplesOf<Schema extends z.ZodType>(schema: Schema): readonly View<Schema>[] {
  const { id = '', examples = [] } = schema.meta() ?? {};
  return (BY_NAME[id] ?? examples) as readonly View<Schema>[];
}

/** The first example of a schema. Throws where it has none. */
export function exampleOf<Schema extends z.ZodType>(schema: Schema): View<Schema> {
  const [example] = examplesOf(schema);
  if (example === undefined) throw new Error('The schema has no example.');
  return example;
}
