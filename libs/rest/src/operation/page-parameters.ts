import type { Parameter, Schema } from '#web/openapi-document.js';

// What reads of accounts take, in the documents of every server.

const TEXT: Schema = { type: 'string' };

function queryParameter(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'query', description, schema };
}

/** What every list takes. */
export const PAGE: readonly Parameter[] = [
  queryParameter('after', 'The cursor that `next` of the page before said.', TEXT),
  queryParameter('limit', 'Length of a page.', {
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    default: 100,
  }),
];
