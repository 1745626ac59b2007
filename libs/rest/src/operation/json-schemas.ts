import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Schema } from '#web/openapi-document.js';

/** Whether a schema describes what is sent, or what is made of it. */
type Direction = 'input' | 'output';

const COMPONENTS = '#/components/schemas/';

/** Collects the named schemas that a document refers to, and no others. */
export class JsonSchemas {
  private readonly named = new Map<string, Schema>();

  /** Every schema that was referred to, by name. */
  get all(): Readonly<Record<string, Schema>> {
    return Object.fromEntries(this.named);
  }

  /** Without examples: they stand beside it. A reference where the schema has a name (`meta({ id })`), else the schema. */
  of(schema: z.ZodType, direction: Direction): Schema {
    const made = z.toJSONSchema(schema, { io: direction, unrepresentable: 'any' });
    const {
      $schema: _dialect,
      $defs: parts = {},
      id,
      examples: _shown,
      ...rest
    } = withReferences(made);
    for (const [name, part] of Object.entries(parts as Record<string, Schema>)) {
      const { id: _name, examples: _shown, ...own } = part;
      this.add(name, own);
    }
    if (typeof id !== 'string') return rest;
    this.add(id, rest);
    return { $ref: `${COMPONENTS}${id}` };
  }

  /** Gives a schema without a name one. */
  name(name: string, schema: z.ZodType, direction: Direction): void {
    const made = this.of(schema, direction);
    if (!('$ref' in made)) this.add(name, made);
  }

  private add(name: string, schema: Schema): void {
    const known = this.named.get(name);
    if (known !== undefined && !isDeepStrictEqual(known, schema)) {
      throw new Error(`Two schemas have the name ${name}.`);
    }
    this.named.set(name, schema);
  }
}

/** References to parts of one schema as references to parts of the document. */
function withReferences(schema: object): Record<string, unknown> {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', `"$ref":"${COMPONENTS}`);
  return JSON.parse(text) as Record<string, unknown>;
}
