import { formatNumber } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import type { InvoiceLine, InvoiceLines as Lines } from '../../rest/data-answers.js';
import { KindPill } from '../../ui/pill.js';
import { Table, mainCell, numberCell } from '../../ui/table.js';
import css from './invoices.module.css';

interface InvoiceLinesProps {
  readonly lines: readonly InvoiceLine[];
  readonly currency: string;
  /** Shows the calls behind a line; absent where there are none to show. */
  readonly onCalls?: (line: number) => void;
}

export function InvoiceLines({ lines, currency, onCalls }: InvoiceLinesProps) {
  return (
    <Table label="Lines" head={COLUMNS}>
      {lines.map((line) => (
        <tr key={line.n}>
          <td className={numberCell}>{line.n}</td>
          <td className={mainCell}>
            {line.description} {line.kind !== undefined && <KindPill kind={line.kind} />}
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
  const credits = line.credits ?? line.billed_credits ?? line.granted_credits;
  return credits === undefined ? '' : formatNumber(credits);
}

interface CallsProps {
  readonly line: InvoiceLine;
  readonly onCalls: InvoiceLinesProps['onCalls'];
}

function Calls({ line: { n, calls }, onCalls }: CallsProps) {
  if (calls === undefined) return null;
  if (onCalls === undefined) return formatNumber(calls);
  return (
    <button type="button" className={css.calls} onClick={() => onCalls(n)}>
      {formatNumber(calls)}
      <span className="visually-hidden"> calls behind line {n}</span>
    </button>
  );
}

const COLUMNS = (
  <tr>
    <th scope="col" className={numberCell}>
      Line
    </th>
    <th scope="col">What</th>
    <th scope="col" className={numberCell}>
      Calls
    </th>
    <th scope="col" className={numberCell}>
      Credits
    </th>
    <th scope="col" className={numberCell}>
      Amount
    </th>
  </tr>
);

/** Net, tax by category, total. */
export function Totals({ invoice }: { readonly invoice: Lines }) {
  const { currency, net, tax_breakdown: taxes, total } = invoice;
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
    </dl>
  );
}
