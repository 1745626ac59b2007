import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '#web/openapi-document.js';

/** Who sends what a schema describes: clients, or the service. */
export type Direction = 'request' | 'answer';

type Schemas = Readonly<Record<string, Schema>>;

/** A schema and the named ones of its document. */
interface Placed {
  readonly schema: Schema;
  readonly schemas: Schemas;
}

const LOWER_LIMITS = ['minimum', 'minLength', 'minItems', 'minProperties'];
const UPPER_LIMITS = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];

/** Differences of a schema that break a client of another one, each with its place. */
export class SchemaBreaks {
  /** Pairs of names that are compared already: schemas may refer to each other. */
  private readonly compared = new Set<string>();

  constructor(
    private readonly before: Schemas,
    private readonly after: Schemas,
  ) {}

  of(before: Schema, after: Schema, direction: Direction, at: string): string[] {
    const names = `${direction} ${String(before['$ref'])} ${String(after['$ref'])}`;
    if (before['$ref'] !== undefined && after['$ref'] !== undefined) {
      if (this.compared.has(names)) return [];
      this.compared.add(names);
    }
    const old = followed({ schema: before, schemas: this.before });
    const young = followed({ schema: after, schemas: this.after });
    const [olds, youngs] = [choicesOf(old), choicesOf(young)];
    if (olds.length === 1 && youngs.length === 1) {
      return this.ofOne(olds[0] ?? {}, youngs[0] ?? {}, direction, at);
    }
    return this.ofChoices(olds, youngs, direction, at, isNamed(old) && isNamed(young));
  }

  /**
   * A sent value must be one of the known choices: of requests those of today, of answers those of
   * before, unless a discriminator lets clients pass over new ones.
   */
  private ofChoices(
    before: readonly Schema[],
    after: readonly Schema[],
    direction: Direction,
    at: string,
    isOpen: boolean,
  ): string[] {
    const isRequest = direction === 'request';
    const [sent, known] = isRequest ? [before, after] : [after, before];
    const lost = sent.filter((one) =>
      known.every((other) => {
        const [old, young] = isRequest ? [one, other] : [other, one];
        const trial = new SchemaBreaks(this.before, this.after);
        return trial.ofOne(old, young, direction, at).length > 0;
      }),
    );
    if (lost.length === 0) return [];
    if (before.length === after.length) {
      return before.flatMap((one, index) => this.ofOne(one, after[index] ?? {}, direction, at));
    }
    if (isOpen && !isRequest) return [];
    return [`${at}: ${isRequest ? 'takes one choice less' : 'has one choice more'}`];
  }

  private ofOne(before: Schema, after: Schema, direction: Direction, at: string): string[] {
    const old = followed({ schema: before, schemas: this.before });
    const young = followed({ schema: after, schemas: this.after });
    return [
      ...typeBreaks(old, young, direction).map((what) => `${at}: ${what}`),
      ...wordBreaks(old, young, direction).map((what) => `${at}: ${what}`),
      ...(direction === 'request' ? limitBreaks(old, young) : []).map((what) => `${at}: ${what}`),
      ...this.memberBreaks(old, young, direction, at),
      ...this.partBreaks(old, young, direction, at),
    ];
  }

  private memberBreaks(before: Schema, after: Schema, direction: Direction, at: string): string[] {
    const [olds, youngs] = [membersOf(before), membersOf(after)];
    const names = Object.keys(olds);
    const isClosed = direction === 'answer' || after['additionalProperties'] === false;
    const removed = names.filter((name) => isClosed && !(name in youngs));
    const [from, to] = direction === 'request' ? [before, after] : [after, before];
    const added = requiredOf(to).filter((name) => !requiredOf(from).includes(name));
    const changed = direction === 'request' ? 'is required now' : 'may be absent now';
    return [
      ...removed.map((name) => `${at}/${name}: is removed`),
      ...added.filter((name) => !removed.includes(name)).map((name) => `${at}/${name}: ${changed}`),
      ...names.flatMap((name) => {
        const young = youngs[name];
        return young ? this.of(olds[name] ?? {}, young, direction, `${at}/${name}`) : [];
      }),
    ];
  }

  /** Items of lists, and members without names. */
  private partBreaks(before: Schema, after: Schema, direction: Direction, at: string): string[] {
    return ['items', 'additionalProperties'].flatMap((part) => {
      const [old, young] = [before[part], after[part]];
      if (!isSchema(old) || !isSchema(young)) return [];
      return this.of(old, young, direction, `${at}/*`);
    });
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}

function followed({ schema, schemas }: Placed): Schema {
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  return followed({ schema: schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}, schemas });
}

function choicesOf(schema: Schema): readonly Schema[] {
  return (schema['oneOf'] ?? schema['anyOf'] ?? [schema]) as readonly Schema[];
}

/** Whether a member says which of the choices it is, so that clients can pass over new ones. */
function isNamed(schema: Schema): boolean {
  return schema['discriminator'] !== undefined;
}

function membersOf(schema: Schema): Readonly<Record<string, Schema>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
}

function requiredOf(schema: Schema): readonly string[] {
  return (schema['required'] ?? []) as readonly string[];
}

function typesOf(schema: Schema): readonly string[] | undefined {
  const types = schema['type'] as string | readonly string[] | undefined;
  return types === undefined ? undefined : [types].flat();
}

function typeBreaks(before: Schema, after: Schema, direction: Direction): string[] {
  const [given, known] = direction === 'request' ? [before, after] : [after, before];
  const types = typesOf(known);
  const others = typesOf(given) ?? (types && !('const' in given || 'enum' in given) ? ['any'] : []);
  const fits = (type: string) =>
    types === undefined || types.includes(type) || (type === 'integer' && types.includes('number'));
  const wrong = others.filter((type) => !fits(type));
  const verb = direction === 'request' ? 'takes no' : 'may be';
  const [old, young] = [before['format'], after['format']];
  // A request may be taken in any format, and an answer may get one.
  const isOther = old !== young && (direction === 'request' ? young : old) !== undefined;
  return [
    ...wrong.map((type) => `${verb} ${type} now`),
    ...(isOther ? [`has the format ${String(young)} now`] : []),
  ];
}

function wordsOf(schema: Schema): readonly unknown[] | undefined {
  if ('const' in schema) return [schema['const']];
  return schema['enum'] as readonly unknown[] | undefined;
}

/** Answers may get further words; a word that says what an object is stays. */
function wordBreaks(before: Schema, after: Schema, direction: Direction): string[] {
  const [olds, youngs] = [wordsOf(before), wordsOf(after)];
  if (youngs === undefined) return [];
  if (direction === 'request') {
    if (olds === undefined) return ['takes few words now'];
    return olds
      .filter((word) => !youngs.includes(word))
      .map((word) => `takes no ${String(word)} now`);
  }
  const isSame = !('const' in before) || youngs.includes(before['const']);
  return isSame ? [] : [`is no ${String(before['const'])} any more`];
}

function limitBreaks(before: Schema, after: Schema): string[] {
  const value = (schema: Schema, name: string, none: number) => Number(schema[name] ?? none);
  const lower = LOWER_LIMITS.filter(
    (name) => value(after, name, -Infinity) > value(before, name, -Infinity),
  );
  const upper = UPPER_LIMITS.filter(
    (name) => value(after, name, Infinity) < value(before, name, Infinity),
  );
  const patterns = ['pattern', 'allOf'].filter(
    (name) => name in after && !isDeepStrictEqual(before[name], after[name]),
  );
  return [...lower, ...upper, ...patterns].map((name) => `has another ${name}`);
}
