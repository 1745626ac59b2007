import { formatNumber } from '../format/credits.js';
import { formatMoney } from '../format/money.js';
import type { InvoiceLine } from '#invoice-rules/invoice.js';
import { lineNote } from '#invoice-rules/line-note.js';
import { KindPill } from '../ui/pill.js';
import { softCell } from '../ui/table.js';
import { taxWords } from './tax-words.js';
import css from './invoices.module.css';
import type { InvoiceDraft } from '../rest/answers.js';
import { money, number } from '../ui/columns.js';
import { DataTable, type Columns } from '../ui/data-table.js';

interface InvoiceLinesProps {
  readonly lines: readonly InvoiceLine[];
  readonly currency: string;
  /** Shows the calls behind a line; absent where there are none to show. */
  readonly onCalls?: (line: number) => void;
}

export function InvoiceLines({ lines, currency, onCalls }: InvoiceLinesProps) {
  return (
    <DataTable
      label="Lines"
      columns={columnsOf(currency, onCalls)}
      rows={lines}
      keyOf={({ n }) => n}
    />
  );
}

function Note({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : <span className={softCell}>({text})</span>;
}

function creditsOf(line: InvoiceLine): number | null {
  if ('credits' in line) return line.credits;
  if ('billed_credits' in line) return line.billed_credits;
  return 'granted_credits' in line ? line.granted_credits : null;
}

/** Only what is billed by credits has a unit price. */
function priceOf(line: InvoiceLine): number | null {
  return line.type === 'overage' ? line.price_per_1000_credits : null;
}

function moneyText(amount: number | null, currency: string): string {
  return amount === null ? '' : formatMoney(amount, currency);
}

function callsOf(line: InvoiceLine): number | null {
  return line.type === 'usage' ? line.calls : null;
}

function columnsOf(currency: string, onCalls: InvoiceLinesProps['onCalls']): Columns<InvoiceLine> {
  return [
    { label: 'Line', kind: 'number', sort: ({ n }) => n, cell: ({ n }) => n },
    {
      label: 'What',
      kind: 'main',
      sort: ({ description }) => description,
      cell: (line) => (
        <>
          {line.description} {line.type === 'usage' && <KindPill kind={line.kind} />}
          <Note text={lineNote(line, 'en')} />
        </>
      ),
    },
    {
      label: 'Calls',
      kind: 'number',
      sort: callsOf,
      cell: (line) => <Calls line={line} onCalls={onCalls} />,
    },
    number('Credits', creditsOf, ''),
    {
      label: 'Per 1,000 credits',
      kind: 'number',
      sort: priceOf,
      cell: (line) => moneyText(priceOf(line), currency),
    },
    money(
      'Amount',
      ({ amount }) => amount,
      () => currency,
    ),
  ];
}

interface CallsProps {
  readonly line: InvoiceLine;
  readonly onCalls: InvoiceLinesProps['onCalls'];
}

function Calls({ line, onCalls }: CallsProps) {
  if (line.type !== 'usage') return null;
  const { n, calls } = line;
  if (onCalls === undefined) return formatNumber(calls);
  return (
    <button type="button" className={css.calls} onClick={() => onCalls(n)}>
      {formatNumber(calls)}
      <span className="visually-hidden"> calls behind line {n}</span>
    </button>
  );
}

interface TotalsProps {
  readonly invoice: Pick<
    InvoiceDraft,
    'currency' | 'net' | 'tax_breakdown' | 'tax_accounting' | 'total'
  >;
}

/** Net, tax by category, total. */
export function Totals({ invoice }: TotalsProps) {
  const { currency, net, tax_breakdown: taxes, tax_accounting: owed, total } = invoice;
  return (
    <dl className={css.totals}>
      <dt>Net</dt>
      <dd>{formatMoney(net, currency)}</dd>
      {taxes.map((tax) => (
        <div key={`${tax.category} ${tax.rate_percent}`} className={css.tax}>
          <dt>
            VAT: {taxWords(tax)} on {formatMoney(tax.taxable, currency)}
            {tax.reason !== undefined && tax.reason !== taxWords(tax) && ` (${tax.reason})`}
          </dt>
          <dd>{formatMoney(tax.tax, currency)}</dd>
        </div>
      ))}
      <dt className={css.total}>Total</dt>
      <dd className={css.total}>{formatMoney(total, currency)}</dd>
      {owed !== undefined && (
        <div className={css.tax}>
          <dt>
            Tax in {owed.currency} at {owed.rate} ({owed.rate_source}, {owed.rate_date})
          </dt>
          <dd>{formatMoney(owed.tax, owed.currency)}</dd>
        </div>
      )}
    </dl>
  );
}
