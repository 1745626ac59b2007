import { Link, useParams } from '@tanstack/react-router';
import { InvoiceSheet } from '../../account/invoice-sheet.js';
import { formatMoney } from '../../format/money.js';
import type { Fact } from '../../ui/facts.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import css from '../console.module.css';
import { HeldNotice } from './held-notice.js';
import { InvoiceActions } from './invoice-actions.js';
import { admin } from '../admin.js';
import type { IssuedInvoice, ShownInvoice } from '../../rest/answers.js';
import { main, moment, money, text } from '../../ui/columns.js';
import { DataTable, type Columns } from '../../ui/data-table.js';

/** One invoice: its lines down to the calls, its payments and credit notes. */
export function InvoicePage() {
  const { number = '' } = useParams({ strict: false }) as { number?: string };
  return (
    <InvoiceSheet
      document={admin.getInvoice}
      number={number}
      notice={(invoice) => invoice.number === null && <HeldNotice invoice={invoice} />}
      creditNote={admin.getCreditNote}
      facts={factsOf}
      actions={(invoice) => invoice.number !== null && <InvoiceActions invoice={invoice} />}
      calls={(line) => admin.listLineCalls({ number, line })}
      call={({ key }) => <code className={css.wrap}>{key}</code>}
    >
      {(invoice) => invoice.number !== null && <Payments invoice={invoice} />}
    </InvoiceSheet>
  );
}

function factsOf(invoice: ShownInvoice): readonly Fact[] {
  const { account_id: accountId, buyer } = invoice;
  return [
    [
      'Account',
      <Link key="account" to={`/accounts/${accountId}` as string}>
        {buyer.name}
      </Link>,
    ],
    ...(invoice.number === null ? [] : [['Reminders', remindersOf(invoice)] as const]),
  ];
}

function remindersOf({ reminders: { sent, stopped } }: ShownInvoice): string {
  const days = sent.map((one) => `${one.days} days after the due date`).join(', ') || 'none';
  return stopped ? `${days}; stopped` : days;
}

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

function Payments({ invoice }: { readonly invoice: IssuedInvoice }) {
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
