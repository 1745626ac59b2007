import { z } from 'zod';
import { statementAnswer } from '#ledger/statement-answer.js';
import type { Parameter, PathItem, Schema } from '#web/openapi-document.js';
import { freePath } from './account-paths.js';

const MONTH: Parameter = {
  name: 'month',
  in: 'path',
  required: true,
  description: 'A month in which the account was there.',
  schema: { type: 'string', pattern: '^\\d{4}-\\d{2}$' },
  example: '2026-10',
};

/** The statements of an API key's holder. */
export function statementPaths(baseUrl: string): Record<string, PathItem> {
  return {
    '/v1/account/statements/{month}': freePath(baseUrl, {
      operationId: 'readStatement',
      summary: 'A month in credits, which the exported calls alone can prove',
      schema: 'Statement',
      parameters: [MONTH],
      table: true,
    }),
  };
}

function plain(schema: z.ZodType): Schema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'output' });
  return rest;
}

/** Schemas of statements. */
export const STATEMENT_SCHEMAS: Readonly<Record<string, Schema>> = {
  Statement: plain(statementAnswer),
};
