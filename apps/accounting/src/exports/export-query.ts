import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DEFAULT_ACCOUNTS, type JournalAccounts } from '#billing/journal.js';
import { monthField } from '#ledger/invoice-queries.js';
import type { ParameterFault } from '#web/parameter-fault.js';
import { parseQuery, rawQuery } from '#web/query.js';

export const EXPORT_FORMATS = ['csv', 'jsonl', 'zip', 'journal'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Which documents are exported. */
export interface ExportScope {
  /** Months of supply, or months of issue and of payment. */
  readonly by: 'supply' | 'issue';
  /** `2026-10`. */
  readonly month: string;
  /** With those of test accounts. */
  readonly test: boolean;
}

export interface ExportRequest extends ExportScope {
  readonly format: ExportFormat;
  readonly accounts: JournalAccounts;
}

const testField = z.enum(['true', 'false']).optional();
const account = z
  .string()
  .regex(/^[!-~](?:[ -~]{0,38}[!-~])?$/, '1 to 40 visible ASCII characters');

/** The operator's own codes of the accounts that a journal books to, by the parameter's name. */
export const JOURNAL_PARAMETERS = {
  receivables: 'receivables',
  bank: 'bank',
  tax_payable: 'taxPayable',
  deferred_revenue: 'deferredRevenue',
  fee_revenue: 'feeRevenue',
  overage_revenue: 'overageRevenue',
  credit_revenue: 'creditRevenue',
  breakage_revenue: 'breakageRevenue',
  purchase_refunds: 'purchaseRefunds',
} as const satisfies Readonly<Record<string, keyof JournalAccounts>>;
type JournalParameter = keyof typeof JOURNAL_PARAMETERS;
const NAMES = Object.keys(JOURNAL_PARAMETERS) as JournalParameter[];
const accountFields = Object.fromEntries(NAMES.map((name) => [name, account.optional()])) as Record<
  JournalParameter,
  z.ZodOptional<typeof account>
>;

const exportQuery = z.strictObject({
  month: monthField.optional(),
  issued_month: monthField.optional(),
  format: z.enum(EXPORT_FORMATS).default('csv'),
  test: testField,
  ...accountFields,
});

const liabilityQuery = z.strictObject({ month: monthField, test: testField });

/** Faults of parameters that do not go together, which no single one shows. */
function pairFaults(asked: URLSearchParams): ParameterFault[] {
  const faults: ParameterFault[] = [];
  if (asked.has('month') === asked.has('issued_month')) {
    const detail = 'Either month, of supply, or issued_month.';
    faults.push({ in: 'query', name: 'month', value: asked.get('month'), detail });
  }
  if (asked.get('format') === 'journal') return faults;
  const detail = 'Of format=journal alone.';
  const odd = NAMES.filter((name) => asked.has(name));
  return [
    ...faults,
    ...odd.map((name) => ({ in: 'query' as const, name, value: asked.get(name), detail })),
  ];
}

/** Throws a ProblemException with all faults at once. */
export function readExportRequest({ url }: FastifyRequest): ExportRequest {
  const faults = pairFaults(new URLSearchParams(rawQuery(url)));
  const {
    month,
    issued_month: issued,
    format,
    test,
    ...codes
  } = parseQuery(exportQuery, url, faults);
  const given = NAMES.flatMap((name) => {
    const code = codes[name];
    return code === undefined ? [] : [[JOURNAL_PARAMETERS[name], code] as const];
  });
  return {
    by: month === undefined ? 'issue' : 'supply',
    month: month ?? issued ?? '',
    test: test === 'true',
    format,
    accounts: { ...DEFAULT_ACCOUNTS, ...Object.fromEntries(given) },
  };
}

/** Throws a ProblemException with all faults at once. */
export function readLiabilityRequest({ url }: FastifyRequest): Omit<ExportScope, 'by'> {
  const { month, test } = parseQuery(liabilityQuery, url);
  return { month, test: test === 'true' };
}
