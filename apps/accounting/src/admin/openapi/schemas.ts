import type { Schema } from '#web/openapi-document.js';
import { JsonSchemas } from '#rest/operation/json-schemas.js';
import { problemSchemas } from '#web/problem-schemas.js';
import { Reason } from '#rest/operation/reason.js';
import { creditNoteBody, invoiceRunBody, paymentBody } from '#invoicing/invoice-bodies.js';
import { buyerBody, sellerBody } from '#invoicing/party.body.js';
import { PORTAL_ANSWERS, PORTAL_BODIES } from '../../portal/openapi/portal-schemas.js';
import { ANSWERS as OWN_ANSWERS } from './answer-schemas.js';

/** Schemas of bodies by the name that the document gives them. */
const BODIES = {
  Reason: Reason,
  RunInvoices: invoiceRunBody,
  CreditInvoice: creditNoteBody,
  RecordPayment: paymentBody,
  SetSeller: sellerBody,
  SetBuyer: buyerBody,
  ...PORTAL_BODIES,
} as const;

const ANSWERS = { ...OWN_ANSWERS, ...PORTAL_ANSWERS } as const;

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
