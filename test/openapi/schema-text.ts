import type { Schema } from '#web/openapi-document.js';

/** Limits that stand in parentheses behind a type, beside its format. */
const LIMITS =
  'minimum maximum minLength maxLength pattern allOf minItems maxItems minProperties maxProperties'.split(
    ' ',
  );
const WIDTH = 100;
const BY = /^#\/components\/schemas\/(.+)$/;

/**
 * A schema as one expression, with what {@link schemaOf} and the comparison of releases need:
 * types, required members, enums, formats, limits. `indent`: columns before its first line.
 */
export function textOfSchema(schema: Schema, indent = 0): string {
  const { $ref, anyOf, oneOf, enum: words, type, discriminator } = schema;
  if (typeof $ref === 'string') return BY.exec($ref)?.[1] ?? $ref;
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (words !== undefined)
    return joined(
      (words as unknown[]).map((one) => JSON.stringify(one)),
      indent,
    );
  const choices = (oneOf ?? anyOf) as readonly Schema[] | undefined;
  if (choices !== undefined) {
    const { propertyName } = (discriminator ?? {}) as { readonly propertyName?: string };
    return union(choices, propertyName, indent);
  }
  if (Array.isArray(type)) {
    return (type as string[])
      .map((one) => (one === 'null' ? one : textOfSchema({ ...schema, type: one }, indent)))
      .join(' | ');
  }
  if (schema['items'] !== undefined) {
    return `[${textOfSchema(schema['items'] as Schema, indent)}]${facets(schema)}`;
  }
  const isObject = schema['properties'] !== undefined || isSchema(schema['additionalProperties']);
  if (isObject) return `${members(schema, indent)}${facets(schema)}`;
  return `${(type as string | undefined) ?? 'any'}${facets(schema)}`;
}

function union(choices: readonly Schema[], member: string | undefined, indent: number): string {
  if (member === undefined)
    return joined(
      choices.map((one) => textOfSchema(one, indent)),
      indent,
    );
  const texts = choices.map((one) => textOfSchema(one, indent + 2));
  return `by ${member} ${wrapped('(', texts, ' |', ')', indent)}`;
}

/** Choices on one line where that is short enough, else one a line. */
function joined(texts: readonly string[], indent: number): string {
  const line = texts.join(' | ');
  const isShort = texts.some((text) => text.includes('\n')) || indent + line.length <= WIDTH - 30;
  return isShort ? line : texts.join(` |\n${' '.repeat(indent + 2)}`);
}

function members(schema: Schema, indent: number): string {
  const required = (schema['required'] ?? []) as readonly string[];
  const further = schema['additionalProperties'];
  const texts = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).map(
    ([name, one]) => {
      const mark = required.includes(name) ? '' : '?';
      return `${nameOf(name)}${mark}: ${textOfSchema(one, indent + 2)}`;
    },
  );
  if (isSchema(further)) texts.push(`...: ${textOfSchema(further, indent + 2)}`);
  else if (further !== false) texts.push('...');
  return wrapped('{', texts, ',', '}', indent);
}

/** On one line where that is short enough, else a line for each part. */
function wrapped(
  open: string,
  texts: readonly string[],
  comma: string,
  close: string,
  indent: number,
): string {
  const space = open === '{' ? ' ' : '';
  const line = `${open}${space}${texts.join(`${comma} `)}${space}${close}`;
  if (!line.includes('\n') && indent + line.length <= WIDTH - 30) return line;
  const pad = ' '.repeat(indent + 2);
  return `${open}\n${texts.map((text) => `${pad}${text}`).join(`${comma}\n`)}\n${' '.repeat(indent)}${close}`;
}

function nameOf(name: string): string {
  return /^\w[\w-]*$/.test(name) ? name : JSON.stringify(name);
}

function facets(schema: Schema): string {
  const { format } = schema;
  const texts = [
    ...(typeof format === 'string' ? [format] : []),
    ...LIMITS.filter((name) => name in schema).map(
      (name) => `${name} ${JSON.stringify(schema[name])}`,
    ),
  ];
  return texts.length === 0 ? '' : `(${texts.join(', ')})`;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|\.\.\.|-?\d[\d.e+-]*(?![\w-])|[\w-]+|[[\]{}(),:|?]/gy;
const KEYWORDS = new Set(['string', 'integer', 'number', 'boolean', 'null', 'object', 'array']);

/** The schema that a text of {@link textOfSchema} stands for. Throws where it is none. */
export function schemaOf(text: string): Schema {
  const reader = new SchemaReader(text);
  const schema = reader.readUnion();
  reader.expectEnd();
  return schema;
}

class SchemaReader {
  private readonly tokens: readonly string[];
  private at = 0;

  constructor(private readonly text: string) {
    const parts = text.match(/"(?:[^"\\]|\\.)*"|[^\s"]+/g) ?? [];
    this.tokens = parts.flatMap((part) => part.match(TOKEN) ?? [part]);
  }

  expectEnd(): void {
    if (this.at < this.tokens.length) throw this.fault('the end');
  }

  /** Literals beside each other are one enum. */
  readUnion(): Schema {
    const choices: Schema[] = [];
    const words: unknown[] = [];
    do {
      const one = this.readOne();
      if ('const' in one) words.push(one['const']);
      else choices.push(one);
    } while (this.take('|'));
    if (words.length > 0) choices.unshift(wordsSchema(words));
    return choices.length === 1 ? (choices[0] as Schema) : { anyOf: choices };
  }

  private readOne(): Schema {
    const token = this.next();
    if (token === '[') {
      const items = this.readUnion();
      this.expect(']');
      return { type: 'array', items, ...this.readFacets() };
    }
    if (token === '{') return { ...this.readMembers(), ...this.readFacets() };
    if (token === 'by') return this.readKinds();
    if (token === 'any') return this.readFacets();
    if (KEYWORDS.has(token)) return { type: token, ...this.readFacets() };
    if (/^("|-?\d|true$|false$)/.test(token)) return { const: JSON.parse(token) as unknown };
    if (/^[A-Z]/.test(token)) return { $ref: `#/components/schemas/${token}` };
    throw this.fault('a schema');
  }

  private readKinds(): Schema {
    const propertyName = this.next();
    this.expect('(');
    const oneOf: Schema[] = [];
    do oneOf.push(this.readOne());
    while (this.take('|'));
    this.expect(')');
    return { oneOf, discriminator: { propertyName } };
  }

  private readMembers(): Schema {
    const properties: Record<string, Schema> = {};
    const required: string[] = [];
    let additionalProperties: unknown = false;
    while (!this.take('}')) {
      const token = this.next();
      if (token === '...') additionalProperties = this.take(':') ? this.readUnion() : true;
      else {
        const name = token.startsWith('"') ? (JSON.parse(token) as string) : token;
        if (!this.take('?')) required.push(name);
        this.expect(':');
        properties[name] = this.readUnion();
      }
      this.take(',');
    }
    return { type: 'object', properties, required, additionalProperties };
  }

  private readFacets(): Schema {
    if (!this.take('(')) return {};
    const schema: Record<string, unknown> = {};
    while (!this.take(')')) {
      const name = this.next();
      if (LIMITS.includes(name)) schema[name] = this.readJson();
      else schema['format'] = name;
      this.take(',');
    }
    return schema;
  }

  private readJson(): unknown {
    let json = '';
    let depth = 0;
    do {
      const token = this.next();
      if (token === '[' || token === '{') depth += 1;
      if (token === ']' || token === '}') depth -= 1;
      json += token;
    } while (depth > 0);
    return JSON.parse(json) as unknown;
  }

  private next(): string {
    const token = this.tokens[this.at];
    if (token === undefined) throw this.fault('more');
    this.at += 1;
    return token;
  }

  private take(token: string): boolean {
    if (this.tokens[this.at] !== token) return false;
    this.at += 1;
    return true;
  }

  private expect(token: string): void {
    if (!this.take(token)) throw this.fault(token);
  }

  private fault(wanted: string): Error {
    const rest = this.tokens.slice(this.at, this.at + 8).join(' ');
    return new Error(`The text lacks ${wanted} before "${rest}": ${this.text.slice(0, 200)}`);
  }
}

function wordsSchema(words: readonly unknown[]): Schema {
  const type = typeof words[0] === 'number' ? 'integer' : typeof words[0];
  return words.length === 1 ? { type, const: words[0] } : { type, enum: words };
}
