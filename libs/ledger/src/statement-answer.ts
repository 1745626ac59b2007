import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseDate } from '#calendar/civil-date.js';
import { csvTable, type Column } from '#web/csv.js';
import type { ParameterFault } from '#web/parameter-fault.js';
import { problem, ProblemException } from '#web/problem.js';
import { negotiate, NO_STORE, sendJson } from '#web/table-answer.js';
import type { StatementView } from './statement-reads.js';

/** Reads the month in a path, `2026-10`; what is wrong with it is added to `faults`. */
export function readMonth(text: string, faults: ParameterFault[]): string {
  if (parseDate(`${text}-01`) === undefined) {
    faults.push({ in: 'path', name: 'month', value: text, detail: 'A month like 2026-11.' });
  }
  return text;
}

/** One line of a statement as a table: the credits of all lines add up to the closing balance. */
interface StatementRow {
  readonly type: 'opening' | 'grant' | 'adjustment' | 'charges' | 'expiry' | 'void' | 'billed';
  readonly at?: string;
  readonly day?: string;
  readonly grant_id?: string | null;
  readonly kind?: string;
  readonly call_id?: string | null;
  readonly reason?: string;
  readonly calls?: number;
  readonly credits: number;
}

type ClosingRow = Omit<StatementRow, 'type'> & { readonly type: 'closing' };

const COLUMNS: readonly Column<StatementRow | ClosingRow>[] = [
  { name: 'type', cell: (row) => row.type },
  { name: 'day', cell: (row) => row.day },
  { name: 'at', cell: (row) => row.at },
  { name: 'grant_id', cell: (row) => row.grant_id },
  { name: 'kind', cell: (row) => row.kind },
  { name: 'call_id', cell: (row) => row.call_id },
  { name: 'reason', cell: (row) => row.reason },
  { name: 'calls', cell: (row) => row.calls },
  { name: 'credits', cell: (row) => row.credits },
];

function rowsOf(statement: StatementView): (StatementRow | ClosingRow)[] {
  const { period, grants, adjustments, charges, expiries, voids, billed_credits } = statement;
  return [
    { type: 'opening', day: period.from, credits: statement.opening_balance },
    ...grants.map((entry) => ({ type: 'grant' as const, ...entry })),
    ...adjustments.map((entry) => ({ type: 'adjustment' as const, ...entry })),
    ...charges.map((entry) => ({ type: 'charges' as const, ...entry, credits: -entry.credits })),
    ...expiries.map((entry) => ({ type: 'expiry' as const, ...entry, credits: -entry.credits })),
    ...voids.map((entry) => ({ type: 'void' as const, ...entry, credits: -entry.credits })),
    { type: 'billed', credits: billed_credits },
    { type: 'closing', day: period.to, credits: statement.closing_balance },
  ];
}

const JSON_TYPE = 'application/json';
const CSV_TYPE = 'text/csv';

/**
 * Sends a statement as JSON or, where the client prefers it, as CSV. Throws a ProblemException;
 * `missing` says why there is none.
 */
export function sendStatement(
  request: FastifyRequest,
  reply: FastifyReply,
  statement: StatementView | undefined,
  missing = 'That month has not begun, or had ended before the account was opened.',
): void {
  const type = negotiate(request, [JSON_TYPE, CSV_TYPE]);
  if (statement === undefined) {
    throw new ProblemException(problem('not-found', missing));
  }
  void reply.header('vary', 'Authorization, Accept');
  if (type === JSON_TYPE) return sendJson(request, reply, statement);
  void reply
    .header('content-type', 'text/csv; charset=utf-8; header=present')
    .header('cache-control', NO_STORE)
    .send(csvTable(COLUMNS, rowsOf(statement)));
}

const uuid = z.uuid();
const credits = z.int();
const date = z.iso.date();
const entry = { at: z.iso.datetime(), grant_id: uuid.nullable(), credits } as const;
const head = z.string().regex(/^[0-9a-f]{64}$/);

/** What a statement looks like, in the documents of both servers. */
export const statementAnswer = z
  .strictObject({
    type: z.literal('statement'),
    account_id: uuid,
    month: z.string().regex(/^\d{4}-\d{2}$/),
    period: z.strictObject({ from: date, to: date }),
    time_zone: z.string().meta({ description: 'The zone in which days and the month begin.' }),
    opening_balance: credits,
    grants: z.array(
      z.strictObject({
        ...entry,
        kind: z.enum(['purchased', 'promotional', 'included', 'adjustment']),
      }),
    ),
    adjustments: z.array(
      z.strictObject({ ...entry, reason: z.string(), call_id: uuid.nullable() }),
    ),
    charges: z
      .array(z.strictObject({ day: date, calls: z.int().min(1), credits }))
      .meta({ description: 'What calls cost, by local day.' }),
    expiries: z.array(z.strictObject(entry)),
    voids: z.array(z.strictObject(entry)),
    billed_credits: credits.meta({ description: "A debt that was billed at the month's end." }),
    closing_balance: credits,
    account_version: z.strictObject({ from: z.int(), to: z.int() }),
    opening_head: head.meta({ description: "Head of the account's chain before these versions." }),
    account_head: head
      .optional()
      .meta({ description: 'After them; absent while it is not final.' }),
    final: z.boolean().meta({ description: 'Whether the month was closed: nothing changes then.' }),
  })
  .meta({ description: 'A month of an account in credits.' });
