import type { Schema } from '#web/openapi-document.js';
import {
  operationsOf,
  type DescribedInterface,
  type Operation,
  type Parameter,
} from './described.js';
import { endpointsOf, isMetered, type MadeEndpoint } from './endpoints-of.js';
import { commentText, typeText } from './type-text.js';

const JSON_TYPE = 'application/json';

/** The table of an interface's endpoints, and the type of their methods by group. */
export function methodsText(document: DescribedInterface, prefix: string, name: string): string {
  const endpoints = endpointsOf(document, prefix);
  const groups = new Map<string, MadeEndpoint[]>();
  for (const made of endpoints) {
    const [group = ''] = made.endpoint.name.split('.');
    groups.set(group, [...(groups.get(group) ?? []), made]);
  }
  const members = [...groups].map(
    ([group, own]) => `readonly ${group}: {\n${own.map(methodText).join('\n')}\n};`,
  );
  const table = endpoints.map(({ endpoint }) => JSON.stringify(endpoint));
  return [
    ...endpoints.flatMap(queryText),
    `const ENDPOINTS: readonly Endpoint[] = [\n${table.join(',\n')},\n];`,
    `export interface ${name} {\n${members.join('\n')}\n}`,
  ].join('\n\n');
}

/** The type of the answer to each path of data. */
export function pulledText(document: DescribedInterface, prefix: string): string {
  const metered = operationsOf(document, prefix).filter(
    (one) => one.method === 'get' && isMetered(one),
  );
  const types = metered.map(({ path, content }) => {
    // The first part that is no variable, behind the version.
    const resource = path.split('/').find((part, at) => at > 1 && !part.startsWith('{'));
    return {
      pattern: path.replaceAll(/\{\w+\}/g, '${string}'),
      answer: `(${typeText(content[JSON_TYPE]?.schema ?? {})} & { readonly resource: '${resource}' })`,
    };
  });
  const all = [...new Set(types.map(({ answer }) => answer))].join(' | ');
  const cases = types.map(({ pattern, answer }) => `Path extends \`${pattern}\` ? ${answer} :`);
  return [
    `/** Any answer with data; \`resource\` distinguishes them. */\nexport type Data = ${all};`,
    '/** The answer with the data of a path. */',
    'export type DataOf<Path extends string> =',
    `string extends Path ? Data :\n${cases.join('\n')} Data;`,
  ].join('\n\n');
}

function methodText(made: MadeEndpoint): string {
  const { endpoint, operation, content } = made;
  const name = endpoint.name.split('.')[1] ?? '';
  const comment = commentText(operation.summary, operation.description);
  const given = argumentsOf(made);
  const method = `${comment}${name}(${given.join(', ')}): ${answerText(made)};`;
  if (endpoint.hasTypes !== true) return method;
  const types = Object.keys(content).filter((type) => type !== JSON_TYPE);
  const accept = `type: ${types.map((type) => JSON.stringify(type)).join(' | ')}`;
  const as = `${name}As(${[accept, ...given].join(', ')}): Promise<Response>;`;
  return `${method}\n/** The same as bytes of another media type. */\n${as}`;
}

function answerText({ endpoint, content }: MadeEndpoint): string {
  if (endpoint.answer === 'stream') return 'Promise<Response>';
  const schema = content[JSON_TYPE]?.schema;
  if (schema === undefined) return 'Promise<void>';
  if (endpoint.answer === 'list') return `Listing<${typeText(schema).replace(/List$/, '')}>`;
  return `Promise<${typeText(schema)}>`;
}

function argumentsOf({ endpoint, operation, parameters, method }: MadeEndpoint): string[] {
  const { requestBody } = operation;
  const ofPath = parameters.filter((one) => one.in === 'path');
  const isNeeded = parameters.some((one) => one.in === 'query' && one.required === true);
  const schema = requestBody?.content[JSON_TYPE]?.schema ?? {};
  return [
    ...ofPath.map((one) => `${camel(one.name)}: ${typeText(one.schema)}`),
    ...(endpoint.hasBody ? [`body${requestBody?.required ? '' : '?'}: ${typeText(schema)}`] : []),
    ...(endpoint.hasQuery ? [`query${isNeeded ? '' : '?'}: ${queryName(operation)}`] : []),
    `options?: ${method === 'get' ? 'RequestOptions' : optionsText(parameters)}`,
  ];
}

function optionsText(parameters: readonly Parameter[]): string {
  const names = parameters.filter((one) => one.in === 'header').map(({ name }) => name);
  if (names.includes('If-Match')) return 'ChangeOptions';
  return names.includes('Idempotency-Key') ? "Omit<ChangeOptions, 'ifMatch'>" : 'RequestOptions';
}

function queryName({ operationId }: Operation): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`;
}

/** The type of an operation's query, where it takes one. */
function queryText({ operation, parameters }: MadeEndpoint): string[] {
  const ofQuery = parameters.filter((one) => one.in === 'query');
  if (ofQuery.length === 0) return [];
  const properties = Object.fromEntries(
    ofQuery.map(({ name, description, schema }): [string, Schema] => [
      name,
      { ...schema, ...(description !== undefined && { description }) },
    ]),
  );
  const required = ofQuery.filter((one) => one.required === true).map(({ name }) => name);
  const type = typeText({ type: 'object', properties, required, additionalProperties: false });
  return [`export interface ${queryName(operation)} ${type}`];
}

function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
