import {
  operationsOf,
  type DescribedInterface,
  type Parameter,
  type PlacedOperation,
} from './described.js';
import { schemaNames, schemaTypes } from './schemas-text.js';
import { commentText, typeName, typeText } from './type-text.js';

const JSON_TYPE = 'application/json';

/** The operations of both interfaces of pages: their types, and where they are asked for. */
export function pagesTexts(
  adminDocument: DescribedInterface,
  portalDocument: DescribedInterface,
): Readonly<Record<string, string>> {
  return {
    'schemas.d.ts': schemaTypes([adminDocument, portalDocument]),
    'admin.d.ts': operationsTypes(adminDocument, '/admin/v1/', 'Admin'),
    'admin.js': operationsTable(adminDocument, '/admin/v1/'),
    'portal.d.ts': operationsTypes(portalDocument, '/portal/v1/', 'Portal'),
    'portal.js': operationsTable(portalDocument, '/portal/v1/'),
  };
}

/** Method and path of each operation of an interface by its id, as a module. */
function operationsTable(document: DescribedInterface, prefix: string): string {
  const places = operationsOf(document, prefix).map(({ operation, method, path }) => [
    operation.operationId,
    `${method.toUpperCase()} ${path}`,
  ]);
  return `export const TABLE = ${JSON.stringify(Object.fromEntries(places), null, 2)};\n`;
}

/** The types of the same operations: what each takes and answers. */
function operationsTypes(document: DescribedInterface, prefix: string, name: string): string {
  const members = operationsOf(document, prefix).map(operationText);
  return `import type { Command, Read } from '#client/operations.js';
import type { ${schemaNames(document).join(', ')} } from './schemas.js';

export interface ${name} {
${members.join('\n')}
}

export const TABLE: Readonly<Record<keyof ${name}, string>>;
`;
}

function operationText({ operation, method, parameters, content }: PlacedOperation): string {
  const { operationId, summary, requestBody } = operation;
  const given = parameters.filter((one) => one.in === 'path' || one.in === 'query');
  const isNeeded = given.some((one) => one.required === true);
  const members = given.map(memberText).join(' ');
  const takes = given.length === 0 ? '' : `given${isNeeded ? '' : '?'}: { ${members} }`;
  const answer = content[JSON_TYPE] ? typeText(content[JSON_TYPE].schema) : 'undefined';
  const schema = requestBody?.content[JSON_TYPE]?.schema;
  const body = schema === undefined ? 'undefined' : typeText(schema);
  const wanted = requestBody?.required === false ? `${body} | undefined` : body;
  const asked = method === 'get' ? `Read<${answer}>` : `Command<${answer}, ${wanted}>`;
  return `${commentText(summary)}readonly ${operationId}: (${takes}) => ${asked};`;
}

/** A query may have members without a value: a filter that is not set. */
function memberText({ name, required, schema }: Parameter): string {
  const type = typeText(schema);
  return required === true
    ? `readonly ${typeName(name)}: ${type};`
    : `readonly ${typeName(name)}?: ${type} | null;`;
}
