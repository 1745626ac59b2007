import { expandedDocument } from '../../../test/setup/expanded-document.js';
import { LICENSE, type OpenApiDocument } from './openapi-document.js';
import { sharedComponents } from './shared-components.js';

const LIMIT = {
  name: 'limit',
  in: 'query',
  description: 'Rows.',
  schema: { type: 'integer' },
} as const;
const OTHER_LIMIT = { ...LIMIT, description: 'Megabytes.' };
const ID = { description: 'Names this request.', schema: { type: 'string' } };

function refusal(slug: string) {
  const schema = { $ref: `#/components/schemas/Problem-${slug}` };
  return {
    description: slug,
    headers: { 'Request-Id': ID },
    content: { 'application/problem+json': { schema } },
  };
}

function operation(operationId: string, limit: typeof LIMIT | typeof OTHER_LIMIT, slug: string) {
  return {
    operationId,
    summary: operationId,
    tags: [],
    parameters: [limit],
    responses: { 200: { description: 'Done.' }, 400: refusal(slug) },
  };
}

const document: OpenApiDocument = {
  openapi: '3.1.1',
  info: { title: 'T', version: '1', description: 'D', license: LICENSE },
  servers: [],
  tags: [],
  paths: {
    '/a': { get: operation('a', LIMIT, 'gone'), post: operation('b', OTHER_LIMIT, 'gone') },
    '/c': { get: operation('c', LIMIT, 'conflict'), post: operation('d', OTHER_LIMIT, 'gone') },
  },
  components: {
    schemas: {
      'Problem-gone': { $ref: '#/components/schemas/Base' },
      'Problem-conflict': {},
      Base: {},
      Unused: { $ref: '#/components/schemas/Also' },
      Also: {},
    },
    securitySchemes: {},
  },
};

const shared = sharedComponents(document) as unknown as OpenApiDocument & {
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

test('what stands in several places stands once, by its name', () => {
  expect(Object.keys(shared.components['parameters'] ?? {})).toEqual(['limit', 'limit-2']);
  expect(Object.keys(shared.components['headers'] ?? {})).toEqual(['Request-Id']);
  expect(Object.keys(shared.components['responses'] ?? {})).toEqual(['status-200', 'gone']);
  expect(shared.paths['/a']?.get?.parameters).toEqual([{ $ref: '#/components/parameters/limit' }]);
  expect(JSON.stringify(shared).match(/Names this request/g)).toHaveLength(1);
});

test('with its references followed it is the document that it was made of', () => {
  expect(expandedDocument(shared).paths).toEqual(document.paths);
});

test('schemas that nothing refers to are left out', () => {
  expect(Object.keys(shared.components.schemas)).toEqual([
    'Problem-gone',
    'Problem-conflict',
    'Base',
  ]);
});
