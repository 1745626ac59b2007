import { Drawer } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { formatNumber } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import { InvoiceLines, Totals } from '../../portal/invoices/invoice-lines.js';
import { StatePill } from '../../portal/invoices/invoices-page.js';
import { CLOSE } from '../../ui/confirm-button.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { Table, mainCell, numberCell } from '../../ui/table.js';
import css from '../console.module.css';
import { Facts } from '../facts.js';
import { Heads, Paged } from '../paged.js';
import type { OperatorInvoice } from '../rest/admin-answers.js';
import { invoiceQuery, lineCallsQuery } from '../rest/admin-queries.js';
import { DocumentLinks } from './document-links.js';
import { InvoiceActions } from './invoice-actions.js';

/** One invoice: its lines down to the calls, its payments and credit notes. */
export function InvoicePage() {
  const { number = '' } = useParams({ strict: false }) as { number?: string };
  const invoice = useQuery(invoiceQuery(number));
  const [line, setLine] = useState<number | null>(null);
  return (
    <Page
      title={`Invoice ${number}`}
      lead={<Link to="/invoices">All invoices</Link>}
      actions={
        <DocumentLinks folder="invoices" number={number} formats={['pdf', 'xml', 'csv', 'json']} />
      }
    >
      <Loaded of={invoice} rows={8}>
        {(data) => (
          <>
            <Panel title="State" aside={<InvoiceActions invoice={data} />}>
              <Facts of={factsOf(data)} />
            </Panel>
            <Panel flush title="Lines" aside="a number of calls opens them">
              <InvoiceLines lines={data.lines} currency={data.currency} onCalls={setLine} />
              <Totals invoice={data} />
            </Panel>
            <Payments invoice={data} />
          </>
        )}
      </Loaded>
      <Drawer
        opened={line !== null}
        onClose={() => setLine(null)}
        position="right"
        size="min(680px, 100vw)"
        title={`Calls behind line ${line ?? ''}`}
        closeButtonProps={CLOSE}
      >
        {line !== null && <LineCalls number={number} line={line} />}
      </Drawer>
    </Page>
  );
}

function factsOf(invoice: OperatorInvoice): readonly (readonly [string, React.ReactNode])[] {
  const { state, currency, period, account_id: accountId } = invoice;
  return [
    ['State', <StatePill key="state" status={state.status} />],
    [
      'Account',
      <Link key="account" to={`/accounts/${accountId}` as string}>
        {invoice.buyer.name}
      </Link>,
    ],
    ['Period', `${period.from} to ${period.to}`],
    ['Issued', invoice.issue_date],
    ['Due', invoice.due_date],
    ['Paid', formatMoney(state.paid, currency)],
    ['Credited', formatMoney(state.credited, currency)],
    ['Still due', <strong key="due">{formatMoney(state.due, currency)}</strong>],
    ['Credit notes', invoice.credit_notes?.join(', ') || 'none'],
  ];
}

function Payments({ invoice }: { readonly invoice: OperatorInvoice }) {
  const { payments = [], currency } = invoice;
  return (
    <Panel flush title="Payments">
      {payments.length === 0 ? (
        <Empty title="Nothing was paid yet" />
      ) : (
        <Table
          label="Payments"
          head={<Heads of={['Paid on', 'Reference', 'Recorded', '#Amount']} />}
        >
          {payments.map((payment) => (
            <tr key={payment.id}>
              <td>{payment.date}</td>
              <td className={mainCell}>{payment.reference ?? '–'}</td>
              <td>
                <Moment at={payment.recorded_at} />
              </td>
              <td className={numberCell}>{formatMoney(payment.amount, currency)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}

function LineCalls({ number, line }: { readonly number: string; readonly line: number }) {
  const calls = useInfiniteQuery(lineCallsQuery(number, line));
  return (
    <Paged of={calls} empty={<Empty title="No calls behind this line" />}>
      {(items) => (
        <Table label="Calls" head={<Heads of={['Time', 'Key', '#Credits']} />}>
          {items.map((call) => (
            <tr key={call.call_id}>
              <td>
                <Moment at={call.at} />
              </td>
              <td className={mainCell}>
                <code className={css.wrap}>{call.key}</code>
              </td>
              <td className={numberCell}>{formatNumber(call.credits_used)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Paged>
  );
}
