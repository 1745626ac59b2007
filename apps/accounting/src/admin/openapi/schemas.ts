import type { Schema } from '#web/openapi-document.js';
import { JsonSchemas } from '#rest/operation/json-schemas.js';
import { problemSchemas } from '#web/problem-schemas.js';
import { Reason } from '#rest/operation/reason.js';
import { PORTAL_ANSWERS as ANSWERS, PORTAL_BODIES } from '../../portal/openapi/portal-schemas.js';

/** Schemas of bodies by the name that the document gives them. */
const BODIES = { Reason, ...PORTAL_BODIES } as const;

type AnswerName = keyof typeof ANSWERS;

export type BodyName = keyof typeof BODIES;
/** Names of lists are those of their items with `List` behind. */
export type SchemaName = AnswerName | BodyName | `${AnswerName}List`;

export function reference(name: SchemaName): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

function list(name: AnswerName): Schema {
  return {
    type: 'object',
    required: ['items', 'next'],
    additionalProperties: false,
    properties: {
      items: { type: 'array', items: reference(name) },
      next: { type: ['string', 'null'], description: 'What `after` takes; null at the end.' },
    },
  };
}

/** Every schema of the document, by name. */
export function componentSchemas(): Readonly<Record<string, Schema>> {
  const answers = Object.entries(ANSWERS);
  const schemas = new JsonSchemas();
  for (const [name, schema] of Object.entries(BODIES)) schemas.name(name, schema, 'input');
  for (const [name, schema] of answers) schemas.name(name, schema, 'output');
  return Object.fromEntries([
    ...Object.entries(schemas.all),
    ...answers.map(([name]) => [`${name}List`, list(name as AnswerName)]),
    ...Object.entries(problemSchemas()),
  ]);
}
