import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Schema } from '#web/openapi-document.js';

/** Whether a schema describes what is sent, or what is made of it. */
type Direction = 'input' | 'output';

const FORMATS: ReadonlySet<string | undefined> = new Set(['uuid', 'date-time', 'date', 'email']);
const COMPONENTS = '#/components/schemas/';

/** Collects the named schemas that a document refers to, and no others. */
export class JsonSchemas {
  private readonly named = new Map<string, Schema>();

  /** Every schema that was referred to, by name. */
  get all(): Readonly<Record<string, Schema>> {
    return Object.fromEntries(this.named);
  }

  /** The schema without examples; a reference where it has a name (`meta({ id })`). */
  of(schema: z.ZodType, direction: Direction): Schema {
    const { id, own, parts } = converted(schema, direction);
    for (const [name, part] of parts) this.add(name, part);
    if (id === undefined) return own;
    this.add(id, own);
    return { $ref: `${COMPONENTS}${id}` };
  }

  /** Gives a schema without a name one. */
  name(name: string, schema: z.ZodType, direction: Direction): void {
    const made = this.of(schema, direction);
    if (!('$ref' in made)) this.add(name, made);
  }

  private add(name: string, schema: Schema): void {
    const known = this.named.get(name);
    if (known !== undefined && known !== schema && !isDeepStrictEqual(known, schema)) {
      throw new Error(`Two schemas have the name ${name}.`);
    }
    this.named.set(name, schema);
  }
}

/** A schema as JSON, and the named ones that it refers to. */
interface ConvertedSchema {
  /** Its name; undefined: it has none. */
  readonly id: string | undefined;
  readonly own: Schema;
  readonly parts: readonly (readonly [name: string, schema: Schema])[];
}

const known = { input: new WeakMap<z.ZodType, ConvertedSchema>(), output: new WeakMap() } as const;

/** The same schema stands in many operations and in several documents: it is converted once. */
function converted(schema: z.ZodType, direction: Direction): ConvertedSchema {
  const found: ConvertedSchema | undefined = known[direction].get(schema);
  if (found !== undefined) return found;
  const made = convert(schema, direction);
  known[direction].set(schema, made);
  return made;
}

function convert(schema: z.ZodType, direction: Direction): ConvertedSchema {
  const made = z.toJSONSchema(schema, {
    io: direction,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema, path }) => {
      if (direction === 'input' && path.length > 0) nameDefault(jsonSchema);
      dropRepeated(jsonSchema, direction);
      // Regular expressions escape slashes, which generators of clients read as something else.
      if (jsonSchema.pattern) jsonSchema.pattern = jsonSchema.pattern.replaceAll('\\/', '/');
      addDiscriminator(zodSchema, jsonSchema);
    },
  });
  const { $schema: _dialect, $defs = {}, id, examples: _shown, ...own } = withReferences(made);
  const parts = Object.entries($defs as Record<string, Schema>).map(([name, part]) => {
    const { id: _name, examples: _examples, ...rest } = part;
    return [name, rest] as const;
  });
  return { id: typeof id === 'string' ? id : undefined, own, parts };
}

/**
 * The pattern of a format says the same again, in more than two hundred characters; and every
 * integer of an answer is a safe one.
 */
function dropRepeated(schema: z.core.JSONSchema.BaseSchema, direction: Direction): void {
  if (FORMATS.has(schema.format)) delete schema.pattern;
  if (direction === 'input' || schema.minimum !== -Number.MAX_SAFE_INTEGER) return;
  delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** In words: generators take a member of a body that has a default for one that is always there. */
function nameDefault(schema: z.core.JSONSchema.BaseSchema): void {
  if (!('default' in schema)) return;
  const words = `Default: \`${JSON.stringify(schema.default)}\`.`;
  delete schema.default;
  schema.description = schema.description === undefined ? words : `${schema.description} ${words}`;
}

/** By the names of its members, which a union with a discriminator has to have. */
function addDiscriminator(
  { _zod: { def } }: z.core.$ZodTypes,
  schema: z.core.JSONSchema.BaseSchema,
): void {
  if (def.type !== 'union' || !('discriminator' in def)) return;
  const propertyName = String(def.discriminator);
  const named = def.options.flatMap((option) => {
    const name = z.globalRegistry.get(option)?.id ?? '';
    const values = [...(option._zod.propValues?.[propertyName] ?? [])];
    return values.map((value) => [String(value), `${COMPONENTS}${name}`] as const);
  });
  schema['discriminator'] = { propertyName, mapping: Object.fromEntries(named) };
}

/** References to parts of one schema as references to parts of the document. */
function withReferences(schema: object): Record<string, unknown> {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', `"$ref":"${COMPONENTS}`);
  return JSON.parse(text) as Record<string, unknown>;
}
