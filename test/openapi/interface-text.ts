import { COMMON_PROBLEMS } from '#web/foundation-paths.js';
import type {
  MediaType,
  OpenApiDocument,
  Operation,
  Parameter,
  PathItem,
  Response,
} from '#web/openapi-document.js';
import { expandedDocument } from '../setup/expanded-document.js';
import { schemaOf, textOfSchema } from './schema-text.js';

type Contents = Readonly<Record<string, MediaType>>;
type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

const COMMON: readonly string[] = COMMON_PROBLEMS;
const WEBHOOK = 'WEBHOOK';
const WIDTH = 100;

/**
 * An OpenAPI document as a text to review: of each operation its path, who may call it, what it
 * takes and answers; then the schemas. It holds what clients rely on, and no prose.
 */
export function interfaceText(document: OpenApiDocument): string {
  const { paths, webhooks = {}, components } = expandedDocument(document);
  const blocks = [
    `# Every operation may be refused as ${COMMON.join(', ')}.`,
    ...Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) =>
        operationText(`${method.toUpperCase()} ${path}`, operation),
      ),
    ),
    ...Object.entries(webhooks).flatMap(([type, { post }]) =>
      post === undefined ? [] : [operationText(`${WEBHOOK} ${type}`, post)],
    ),
    ...Object.entries(components.schemas)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, schema]) => `${name} = ${textOfSchema(schema)}`),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function operationText(head: string, operation: Operation): string {
  const { operationId, parameters = [], requestBody, responses } = operation;
  const statuses = Object.entries(responses);
  const [good, refusals] = [isGood, (status: string) => !isGood(status)].map((fits) =>
    statuses.filter(([status]) => fits(status)),
  );
  const body = requestBody?.required === false ? 'body?' : 'body';
  return [
    `${head} ${operationId}`,
    ...whoOf(operation).map((who) => `  who: ${who}`),
    ...parameters.map(parameterText),
    ...contentTexts(body, requestBody?.content),
    ...(good ?? []).flatMap(([status, response]) => answerTexts(status, response)),
    ...refusalTexts(refusals ?? []),
  ].join('\n');
}

function isGood(status: string): boolean {
  return /^[23]/.test(status);
}

function whoOf({ security = [] }: Operation): string[] {
  return security.flatMap((one) =>
    Object.entries(one).map(([scheme, roles]) => [scheme, ...roles].join(' ')),
  );
}

function parameterText({ in: place, name, required, schema }: Parameter): string {
  return `  ${place} ${name}${required === true ? '' : '?'}: ${textOfSchema(schema, 2)}`;
}

function contentTexts(of: string, content: Contents = {}): string[] {
  return Object.entries(content).map(
    ([type, { schema }]) => `  ${of} ${type}: ${textOfSchema(schema, 2)}`,
  );
}

function answerTexts(status: string, { headers = {}, content }: Response): string[] {
  const names = Object.entries(headers).map(
    ([name, { required }]) => `${name}${required === true ? '' : '?'}`,
  );
  return [
    ...contentTexts(status, content),
    ...(content === undefined ? [`  ${status} empty`] : []),
    ...listed(`  ${status} headers:`, names),
  ];
}

/** Refusals with the codes of their problems; no two releases are compared by them. */
function refusalTexts(refusals: readonly (readonly [string, Response])[]): string[] {
  const words = refusals.flatMap(([status, { content }]) => {
    const found = JSON.stringify(content ?? {}).matchAll(/schemas\/Problem-([\w-]+)/g);
    const codes = [...new Set([...found].map(([, code]) => code ?? ''))];
    const own = codes.filter((code) => !COMMON.includes(code));
    return codes.length > 0 && own.length === 0 ? [] : [[status, ...own].join(' ')];
  });
  return listed('  refused:', words);
}

/** Words behind a heading that is repeated on each further line. */
function listed(heading: string, words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    const isFull = last === undefined || last.length + word.length > WIDTH - 2;
    if (isFull) lines.push(`${heading} ${word}`);
    else lines[lines.length - 1] = `${last}, ${word}`;
  }
  return lines;
}

/** The part of a document that {@link interfaceText} wrote down. Throws where a line is no part. */
export function documentOf(text: string): OpenApiDocument {
  const paths: Record<string, PathItem> = {};
  const webhooks: Record<string, PathItem> = {};
  const schemas: Record<string, object> = {};
  for (const block of text.trim().split('\n\n')) {
    const [head = '', ...statements] = block.split(/\n(?= {2}[^ })\]])/);
    if (head.startsWith('#')) continue;
    const type = /^([\w-]+) = ([^]+)$/.exec(block);
    if (type !== null) {
      schemas[type[1] ?? ''] = schemaOf(type[2] ?? '');
      continue;
    }
    const [method = '', path = '', operationId = ''] = head.split(' ');
    const items = method === WEBHOOK ? webhooks : paths;
    const name = method === WEBHOOK ? 'post' : method.toLowerCase();
    items[path] = { ...items[path], [name]: operationOf(operationId, statements) };
  }
  return { paths, webhooks, components: { schemas } } as unknown as OpenApiDocument;
}

function operationOf(operationId: string, statements: readonly string[]): Operation {
  const operation: Writable<Operation> & { parameters: Parameter[] } = {
    operationId,
    summary: '',
    tags: [],
    parameters: [],
    responses: {},
  };
  for (const statement of statements) {
    const [, head = '', rest = ''] = /^ *([^:]+?)(?:: ([^]*))?$/.exec(statement) ?? [];
    readStatement(operation, head.split(' '), rest);
  }
  return operation;
}

function readStatement(
  operation: Writable<Operation> & { parameters: Parameter[] },
  [of = '', what = '']: readonly string[],
  rest: string,
): void {
  if (of === 'who' || of === 'refused') return;
  const name = what.replace(/\?$/, '');
  if (of === 'path' || of === 'query' || of === 'header') {
    const required = name === what;
    const given = { in: of, name, required, description: '', schema: schemaOf(rest) } as const;
    operation.parameters.push(given);
  } else if (of.startsWith('body')) {
    const content = { ...operation.requestBody?.content, [what]: { schema: schemaOf(rest) } };
    operation.requestBody = { required: of === 'body', content };
  } else operation.responses = withAnswer(operation.responses, of, what, rest);
}

function withAnswer(
  responses: Operation['responses'],
  status: string,
  what: string,
  rest: string,
): Operation['responses'] {
  const known = responses[status] ?? { description: '' };
  if (what === 'empty') return { ...responses, [status]: known };
  if (what === 'headers') {
    const headers = rest.split(', ').map((one) => {
      const header = { description: '', required: !one.endsWith('?'), schema: {} };
      return [one.replace(/\?$/, ''), header] as const;
    });
    const all = { ...known.headers, ...Object.fromEntries(headers) };
    return { ...responses, [status]: { ...known, headers: all } };
  }
  const content = { ...known.content, [what]: { schema: schemaOf(rest) } };
  return { ...responses, [status]: { ...known, content } };
}
