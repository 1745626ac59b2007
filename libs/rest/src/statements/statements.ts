import type { StatementReads, StatementView } from '#projections/views/statement-reads.js';
import { csvTable, type Column } from '#web/csv.js';
import { problem, ProblemException } from '#web/problem.js';
import { CSV, negotiate, NO_STORE, sendJson } from '#web/table-answer.js';
import type { Sending } from '../operation/answer.js';

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

/** The members of a statement that its table shows. */
type Lines = Pick<
  StatementView,
  | 'adjustments'
  | 'billed_credits'
  | 'charges'
  | 'closing_balance'
  | 'expiries'
  | 'grants'
  | 'opening_balance'
  | 'period'
  | 'voids'
>;

/** A statement as CSV: its opening balance first, its closing one last. */
export function statementCsv(statement: Lines): string {
  return csvTable(COLUMNS, rowsOf(statement));
}

function rowsOf(statement: Lines): (StatementRow | ClosingRow)[] {
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
const OWN_MISSING = 'That month has not begun, or had ended before the account was opened.';
const MISSING =
  'There is no such account, or that month has not begun, or had ended before it was opened.';

/** Months of accounts in credits. */
export class Statements {
  constructor(private readonly reads: StatementReads) {}

  /** As JSON or, where the client prefers it, as CSV. `isOwn`: whether the account asks. */
  async send(accountId: string, month: string, isOwn: boolean): Promise<Sending> {
    const statement = await this.reads.statement(accountId, month);
    return (request, reply) => {
      const type = negotiate(request, [JSON_TYPE, CSV_TYPE]);
      if (statement === undefined) {
        throw new ProblemException(problem('not-found', isOwn ? OWN_MISSING : MISSING));
      }
      void reply.header('vary', 'Authorization, Accept');
      if (type === JSON_TYPE) return sendJson(request, reply, statement);
      void reply
        .header('content-type', CSV)
        .header('cache-control', NO_STORE)
        .send(statementCsv(statement));
    };
  }
}
