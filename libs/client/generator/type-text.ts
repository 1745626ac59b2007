import type { Schema } from '#web/openapi-document.js';

const NAMES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The name of a schema as TypeScript takes it: `Problem-not-found` is `ProblemNotFound`. */
export function typeName(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The type of a schema as TypeScript text, not yet laid out. */
export function typeText(schema: Schema): string {
  const { $ref, enum: values, type } = schema;
  if (typeof $ref === 'string') return typeName($ref.slice($ref.lastIndexOf('/') + 1));
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(values)) return union(values.map((value) => JSON.stringify(value)));
  const several = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined;
  if (several !== undefined) return union(several.map(typeText));
  if (Array.isArray(type)) return union(type.map((one) => typeText({ ...schema, type: one })));
  if (type === 'array') return `readonly (${typeText((schema['items'] ?? {}) as Schema)})[]`;
  if (type === 'object') return objectText(schema);
  return NAMES[String(type)] ?? 'unknown';
}

/** A comment for an editor to show; the empty text where there is nothing to say. */
export function commentText(...lines: readonly unknown[]): string {
  const said = lines.filter((line) => typeof line === 'string' && line !== '');
  if (said.length === 0) return '';
  const text = said.join('\n\n').replaceAll('*/', '*\\/');
  return text.includes('\n')
    ? `/**\n * ${text.replaceAll('\n', '\n * ')}\n */\n`
    : `/** ${text} */\n`;
}

function union(texts: readonly string[]): string {
  return [...new Set(texts)].join(' | ');
}

function objectText(schema: Schema): string {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const required = (schema['required'] ?? []) as readonly string[];
  const further = schema['additionalProperties'];
  const members = properties.map(([name, own]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${commentText(own['description'])}readonly ${name}${mark}: ${typeText(own)};`;
  });
  if (members.length === 0 && typeof further === 'object') {
    return `Readonly<Record<string, ${typeText(further as Schema)}>>`;
  }
  const patterns = Object.entries((schema['patternProperties'] ?? {}) as Record<string, Schema>);
  for (const [pattern, own] of patterns) {
    members.push(...namesOf(pattern).map((name) => `readonly ${name}?: ${typeText(own)};`));
  }
  const isOpen = further !== false;
  if (isOpen) members.push('readonly [name: string]: unknown;');
  return `{\n${members.join('\n')}\n}`;
}

/** The names of a pattern like `^cat[1-5]_id$` or `^(?:cat5|brand)_id$`. Throws for others. */
function namesOf(pattern: string): string[] {
  const [, before = '', first, last, words, after = ''] =
    /^\^(\w*)(?:\[(\d)-(\d)\]|\(\?:([\w|]+)\))(\w*)\$$/.exec(pattern) ?? [];
  const parts = words?.split('|') ?? digitsOf(Number(first), Number(last));
  if (parts.length === 0) throw new Error(`The names of ${pattern} are not known.`);
  return parts.map((part) => before + part + after);
}

function digitsOf(first: number, last: number): string[] {
  const digits = Array.from({ length: 10 }, (_, digit) => digit);
  return digits.filter((digit) => digit >= first && digit <= last).map(String);
}
