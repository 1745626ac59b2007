import { formatMoney } from '../format/money.js';
import type { IssuedInvoice } from '../rest/answers.js';
import { main, moment, money, text } from '../ui/columns.js';
import { DataTable, type Columns } from '../ui/data-table.js';
import { Empty } from '../ui/notice.js';
import { Panel } from '../ui/page.js';

function paymentsIn(currency: string): Columns<IssuedInvoice['payments'][number]> {
  return [
    text('Paid on', ({ date }) => date),
    main('Reference', ({ reference }) => reference, '–'),
    text('Rest of the payment', (payment) => restOf(payment, currency), 'none'),
    moment('Recorded', (payment) => payment.recorded_at),
    money(
      'Amount',
      ({ amount }) => amount,
      () => currency,
    ),
  ];
}

/** The part of a payment that other invoices or the credit balance got. */
function restOf(
  { received }: IssuedInvoice['payments'][number],
  currency: string,
): string | undefined {
  if (received === undefined) return undefined;
  const { amount, other_invoices: others, credit_balance: kept } = received;
  const parts = [
    others !== 0 && `${formatMoney(others, currency)} on other invoices`,
    kept !== 0 && `${formatMoney(kept, currency)} kept as credit balance`,
  ];
  return `of ${formatMoney(amount, currency)}: ${parts.filter(Boolean).join(', ')}`;
}

/** Payments of an invoice, with where the rest of each went. */
export function PaymentsPanel({ invoice }: { readonly invoice: IssuedInvoice }) {
  const { payments, currency } = invoice;
  return (
    <Panel flush title="Payments">
      {payments.length === 0 ? (
        <Empty title="Nothing was paid yet" />
      ) : (
        <DataTable label="Payments" columns={paymentsIn(currency)} rows={payments} />
      )}
    </Panel>
  );
}
