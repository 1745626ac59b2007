import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Documents } from '../../account/documents.js';
import { StatePill } from '../../account/invoice-state.js';
import { formatCount } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import { Empty } from '../../ui/notice.js';
import { Paged } from '../../ui/paged.js';
import { Pill } from '../../ui/pill.js';
import { TurnedHeads, type Order } from '../../ui/sort-heads.js';
import { Table, numberCell } from '../../ui/table.js';
import css from '../console.module.css';
import { sumsOf } from './invoice-sums.js';
import { admin } from '../admin.js';
import type { InvoiceStatus, InvoiceSummary } from '../../rest/answers.js';
import { pages } from '../../rest/reads.js';

export interface InvoiceFilter {
  readonly month?: string;
  readonly test?: boolean | null;
  readonly account_id?: string;
  readonly status?: InvoiceStatus | null;
}

interface InvoiceListProps {
  readonly filter: InvoiceFilter;
  readonly withAccount?: boolean;
  /** Whether held ones are in the list, too; they stand in another one where not. */
  readonly withHeld?: boolean;
}

const EMPTY = <Empty title="No invoices here">They are issued when a month has ended.</Empty>;

/** Issued invoices with what became of them, and those that are held. */
export function InvoiceList({ filter, withAccount = true, withHeld = true }: InvoiceListProps) {
  const [order, setOrder] = useState<Order>('desc');
  const invoices = useInfiniteQuery(pages(admin.listInvoices({ ...filter, order })));
  const heads = ['Number', 'Month', 'State', 'Issued', 'Due', '#Total', '#Still due', '!Document'];
  return (
    <Paged of={invoices} empty={EMPTY}>
      {(all) => {
        const items = withHeld ? all : all.filter(({ number }) => number !== null);
        if (items.length === 0) return EMPTY;
        return (
          <Table
            label="Invoices"
            head={
              <TurnedHeads
                of={withAccount ? ['Number', 'Account', ...heads.slice(1)] : heads}
                by="Number"
                order={order}
                onOrder={setOrder}
              />
            }
          >
            {items.map((invoice) => (
              <InvoiceRow key={invoice.id} invoice={invoice} withAccount={withAccount} />
            ))}
            <Sums of={items} columns={withAccount ? heads.length + 1 : heads.length} />
          </Table>
        );
      }}
    </Paged>
  );
}

interface SumsProps {
  readonly of: readonly InvoiceSummary[];
  readonly columns: number;
}

const AMOUNTS = 3;

/** Sums of the invoices that are shown, by kind and currency. */
function Sums({ of, columns }: SumsProps) {
  return sumsOf(of).map(({ kind, currency, count, total, due }) => (
    <tr key={kind + currency}>
      <th scope="row" colSpan={columns - AMOUNTS} className={css.sums}>
        {formatCount(count, `${kind} invoice`)} shown here, in {currency}
      </th>
      <td className={numberCell}>
        <strong>{formatMoney(total, currency)}</strong>
      </td>
      <td className={numberCell}>
        <strong>{formatMoney(due, currency)}</strong>
      </td>
      <td />
    </tr>
  ));
}

interface InvoiceRowProps {
  readonly invoice: InvoiceSummary;
  readonly withAccount: boolean;
}

function InvoiceRow({ invoice, withAccount }: InvoiceRowProps) {
  const { number, account_id: accountId, account_name: name, test, currency, state } = invoice;
  return (
    <tr>
      <td>
        <Link to={`/invoices/${number ?? invoice.id}` as string}>{number ?? 'no number yet'}</Link>{' '}
        {test && <Pill tone="info">test</Pill>}
      </td>
      {withAccount && (
        <td>
          <Link to={`/accounts/${accountId}/invoices` as string} title={accountId}>
            {name ?? accountId.slice(0, 8)}
          </Link>
        </td>
      )}
      <td>{invoice.month}</td>
      <td>
        <StatePill status={state.status} />
      </td>
      <td>{number === null ? '–' : invoice.issue_date}</td>
      <td>{number === null ? '–' : invoice.due_date}</td>
      <td className={numberCell}>{formatMoney(invoice.total, currency)}</td>
      <td className={numberCell}>{formatMoney(state.due, currency)}</td>
      <td>
        {number === null ? (
          <Link to={`/accounts/${accountId}/billing` as string}>Billing details</Link>
        ) : (
          <Documents of={admin.getInvoice} number={number} formats={['pdf']} />
        )}
      </td>
    </tr>
  );
}
