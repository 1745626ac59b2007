import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { InvoiceSheet, LineCalls } from '../../account/invoice-sheet.js';
import { formatMoney } from '../../format/money.js';
import type { AnyInvoice, Invoice } from '../../rest/data-answers.js';
import type { Fact } from '../../ui/facts.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { mainCell, numberCell } from '../../ui/table.js';
import css from '../console.module.css';
import { ADMIN, invoiceQuery, lineCallsQuery } from '../rest/admin-queries.js';
import { HeldNotice } from './held-notice.js';
import { InvoiceActions } from './invoice-actions.js';

/** One invoice: its lines down to the calls, its payments and credit notes. */
export function InvoicePage() {
  const { number = '' } = useParams({ strict: false }) as { number?: string };
  return (
    <InvoiceSheet
      rest={ADMIN}
      number={number}
      of={useQuery(invoiceQuery(number))}
      notice={(invoice) => invoice.number === null && <HeldNotice invoice={invoice} />}
      facts={factsOf}
      actions={(invoice) => invoice.number !== null && <InvoiceActions invoice={invoice} />}
      calls={(line) => <CallsBehind number={number} line={line} />}
    >
      {(invoice) => invoice.number !== null && <Payments invoice={invoice} />}
    </InvoiceSheet>
  );
}

function factsOf(invoice: AnyInvoice): readonly Fact[] {
  const { account_id: accountId, buyer, credit_notes: notes } = invoice;
  return [
    [
      'Account',
      <Link key="account" to={`/accounts/${accountId}` as string}>
        {buyer.name}
      </Link>,
    ],
    ['Credit notes', notes.join(', ') || 'none'],
    ...(invoice.number === null ? [] : [['Reminders', remindersOf(invoice)] as const]),
  ];
}

function remindersOf({ reminders: { sent, stopped } }: Invoice): string {
  const days = sent.map((one) => `${one.days} days after the due date`).join(', ') || 'none';
  return stopped ? `${days}; stopped` : days;
}

const PAYMENTS: readonly SortedColumn<Invoice['payments'][number]>[] = [
  { name: 'paid', label: 'Paid on', value: ({ date }) => date },
  { name: 'reference', label: 'Reference', value: ({ reference }) => reference },
  { name: 'recorded', label: 'Recorded', value: (payment) => payment.recorded_at },
  { name: 'amount', label: 'Amount', isNumber: true, value: ({ amount }) => amount },
];

function Payments({ invoice }: { readonly invoice: Invoice }) {
  const { payments, currency } = invoice;
  return (
    <Panel flush title="Payments">
      {payments.length === 0 ? (
        <Empty title="Nothing was paid yet" />
      ) : (
        <SortedTable label="Payments" columns={PAYMENTS} rows={payments}>
          {(payment) => (
            <tr key={payment.id}>
              <td>{payment.date}</td>
              <td className={mainCell}>{payment.reference ?? '–'}</td>
              <td>
                <Moment at={payment.recorded_at} />
              </td>
              <td className={numberCell}>{formatMoney(payment.amount, currency)}</td>
            </tr>
          )}
        </SortedTable>
      )}
    </Panel>
  );
}

function CallsBehind({ number, line }: { readonly number: string; readonly line: number }) {
  return (
    <LineCalls of={useInfiniteQuery(lineCallsQuery(number, line))}>
      {(call) => <code className={css.wrap}>{call.key}</code>}
    </LineCalls>
  );
}
