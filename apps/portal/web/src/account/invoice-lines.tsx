import { formatNumber } from '../format/credits.js';
import { formatMoney } from '../format/money.js';
import type { InvoiceLine } from '#billing/invoice.js';
import type { InvoiceDraft } from '../rest/data-answers.js';
import { KindPill } from '../ui/pill.js';
import { Heads, Table, mainCell, numberCell } from '../ui/table.js';
import css from './invoices.module.css';

interface InvoiceLinesProps {
  readonly lines: readonly InvoiceLine[];
  readonly currency: string;
  /** Shows the calls behind a line; absent where there are none to show. */
  readonly onCalls?: (line: number) => void;
}

export function InvoiceLines({ lines, currency, onCalls }: InvoiceLinesProps) {
  return (
    <Table label="Lines" head={<Heads of={['#Line', 'What', '#Calls', '#Credits', '#Amount']} />}>
      {lines.map((line) => (
        <tr key={line.n}>
          <td className={numberCell}>{line.n}</td>
          <td className={mainCell}>
            {line.description} {line.type === 'usage' && <KindPill kind={line.kind} />}
          </td>
          <td className={numberCell}>
            <Calls line={line} onCalls={onCalls} />
          </td>
          <td className={numberCell}>{creditsOf(line)}</td>
          <td className={numberCell}>{formatMoney(line.amount, currency)}</td>
        </tr>
      ))}
    </Table>
  );
}

function creditsOf(line: InvoiceLine): string {
  if ('credits' in line) return formatNumber(line.credits);
  if ('billed_credits' in line) return formatNumber(line.billed_credits);
  return 'granted_credits' in line ? formatNumber(line.granted_credits) : '';
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
            Tax {tax.rate_percent} % of {formatMoney(tax.taxable, currency)}
            {tax.reason !== undefined && ` (${tax.reason})`}
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
