import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '#web/openapi-document.js';
import type { DescribedInterface } from './described.js';
import { commentText, typeName, typeText } from './type-text.js';

/** The types of the named schemas of several documents. Throws where one name has two shapes. */
export function schemaTypes(documents: readonly DescribedInterface[]): string {
  const schemas = [...schemasBy(documents)];
  return `${schemas.map(([name, schema]) => schemaText(name, schema)).join('\n\n')}\n`;
}

/** The same, and those of problems by their code and of events. */
export function schemasText(documents: readonly DescribedInterface[]): string {
  const members = problemCodes(documents).map(
    (code) => `readonly '${code}': ${typeName(`Problem-${code}`)};`,
  );
  return [
    "import type { CloudEvent } from './webhook.js';",
    schemaTypes(documents),
    `/** Every problem by its code. */\nexport interface Problems {\n${members.join('\n')}\n}`,
    eventsText(documents),
  ].join('\n\n');
}

/** The codes of all problems of several documents. */
export function problemCodes(documents: readonly DescribedInterface[]): readonly string[] {
  return [...schemasBy(documents).values()].flatMap((schema) => codeOf(schema) ?? []);
}

/** Schemas by their names. Throws where one name has two shapes. */
function schemasBy(documents: readonly DescribedInterface[]): ReadonlyMap<string, Schema> {
  const all = new Map<string, Schema>();
  for (const [name, schema] of documents.flatMap((one) => schemasOf(one))) {
    const known = all.get(name);
    if (known !== undefined && !isDeepStrictEqual(known, schema)) {
      throw new Error(`Two schemas have the name ${name}.`);
    }
    all.set(name, schema);
  }
  return all;
}

/** The names of a document's schemas as types. */
export function schemaNames(document: DescribedInterface): string[] {
  return schemasOf(document).map(([name]) => typeName(name));
}

function schemasOf({ components }: DescribedInterface): [string, Schema][] {
  return Object.entries(components['schemas'] ?? {}) as [string, Schema][];
}

function schemaText(name: string, schema: Schema): string {
  const text = typeText(schema);
  const comment = commentText(schema['description']);
  const isInterface = text.startsWith('{');
  return isInterface
    ? `${comment}export interface ${typeName(name)} ${text}`
    : `${comment}export type ${typeName(name)} = ${text};`;
}

/** The code of a problem; undefined: it is a schema of something else. */
function codeOf({ properties }: Schema): string | undefined {
  const { code, instance } = (properties ?? {}) as Readonly<Record<string, Schema>>;
  return instance === undefined ? undefined : (code?.['const'] as string | undefined);
}

function eventsText(documents: readonly DescribedInterface[]): string {
  const bodies = documents.flatMap(({ webhooks = {} }) =>
    Object.values(webhooks).flatMap(({ post }) => Object.values(post.requestBody?.content ?? {})),
  );
  const types = new Set(bodies.map(({ schema }) => typeText(schema)));
  const text = types.size === 0 ? 'CloudEvent' : [...types].join(' | ');
  return `/** Any event that a webhook receives. */\nexport type WebhookEvent = ${text};`;
}
