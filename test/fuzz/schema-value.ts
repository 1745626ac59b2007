import type { OpenApiDocument, Schema } from '#web/openapi-document.js';
import type { Prng } from '../simulator/prng.js';

const MOMENTS = ['2031-01-01T00:00:00Z', '2099-12-31T23:59:59.999Z', '2040-02-29T12:00:00+05:30'];
const WORDS = ['Nails & Co', 'é', 'laptop', 'x', 'Ω'.repeat(40), 'a note'];
const NUMBERS = [0, 1, 2, 10, 100, 1_000, 1_760, 50_000];

/** Values for the schemas of one document: most of them satisfy it, not all. */
export class SchemaValues {
  constructor(
    private readonly document: OpenApiDocument,
    private readonly ids: readonly string[],
  ) {}

  value(schema: Schema, prng: Prng): unknown {
    const reference = schema['$ref'];
    if (typeof reference === 'string') {
      const name = reference.slice(reference.lastIndexOf('/') + 1);
      return this.value(this.document.components.schemas[name] ?? {}, prng);
    }
    if ('const' in schema) return schema['const'];
    if (Array.isArray(schema['enum'])) return prng.pick(schema['enum'] as unknown[]);
    const choices = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(choices)) return this.value(prng.pick(choices as Schema[]), prng);
    const types = [schema['type']].flat();
    return this.typed(String(prng.pick(types)), schema, prng);
  }

  private typed(type: string, schema: Schema, prng: Prng): unknown {
    switch (type) {
      case 'object':
        return this.object(schema, prng);
      case 'array':
        return Array.from({ length: 1 + prng.below(3) }, () =>
          this.value((schema['items'] ?? {}) as Schema, prng),
        );
      case 'integer':
      case 'number':
        return this.number(schema, prng);
      case 'boolean':
        return prng.chance(0.5);
      case 'null':
        return null;
      default:
        return this.text(schema, prng);
    }
  }

  private object(schema: Schema, prng: Prng): Record<string, unknown> {
    const required = (schema['required'] ?? []) as string[];
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
    const kept = properties.filter(([name]) => required.includes(name) || prng.chance(0.4));
    return Object.fromEntries(kept.map(([name, one]) => [name, this.value(one, prng)]));
  }

  private number(schema: Schema, prng: Prng): number {
    const low = Number(schema['minimum'] ?? -1_000);
    const high = Number(schema['maximum'] ?? 1_000_000);
    if (prng.chance(0.05)) return prng.pick([low, low - 1, high, high + 1]);
    return Math.min(high, Math.max(low, prng.pick(NUMBERS)));
  }

  private text(schema: Schema, prng: Prng): string {
    if (schema['format'] === 'uuid') return prng.pick(this.ids);
    if (schema['format'] === 'date-time') return prng.pick(MOMENTS);
    return prng.pick(WORDS);
  }
}
