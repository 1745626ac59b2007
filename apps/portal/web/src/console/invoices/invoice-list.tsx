import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Documents } from '../../account/documents.js';
import { StatePill } from '../../account/invoice-state.js';
import { formatMoney } from '../../format/money.js';
import type { ListedInvoice } from '../../rest/data-answers.js';
import { Empty } from '../../ui/notice.js';
import { Paged } from '../../ui/paged.js';
import { Pill } from '../../ui/pill.js';
import { Heads, Table, numberCell } from '../../ui/table.js';
import { ADMIN, invoicesQuery } from '../rest/admin-queries.js';

interface InvoiceListProps {
  readonly filter: Readonly<Record<string, string | undefined>>;
  readonly withAccount?: boolean;
}

/** Issued invoices with what became of them, and those that are held. */
export function InvoiceList({ filter, withAccount = true }: InvoiceListProps) {
  const invoices = useInfiniteQuery(invoicesQuery(filter));
  const heads = ['Number', 'Month', 'State', 'Issued', 'Due', '#Total', '#Still due', '!Document'];
  return (
    <Paged
      of={invoices}
      empty={<Empty title="No invoices here">They are issued when a month has ended.</Empty>}
    >
      {(items) => (
        <Table
          label="Invoices"
          head={<Heads of={withAccount ? ['Number', 'Account', ...heads.slice(1)] : heads} />}
        >
          {items.map((invoice) => (
            <InvoiceRow key={invoice.id} invoice={invoice} withAccount={withAccount} />
          ))}
        </Table>
      )}
    </Paged>
  );
}

interface InvoiceRowProps {
  readonly invoice: ListedInvoice;
  readonly withAccount: boolean;
}

function InvoiceRow({ invoice, withAccount }: InvoiceRowProps) {
  const { number, account_id: accountId, test, currency, state } = invoice;
  return (
    <tr>
      <td>
        <Link to={`/invoices/${number ?? invoice.id}` as string}>{number ?? 'no number yet'}</Link>{' '}
        {test && <Pill tone="info">test</Pill>}
      </td>
      {withAccount && (
        <td>
          <Link to={`/accounts/${accountId}/invoices` as string} className="plain">
            <code>
              {accountId.slice(0, 8)}…{accountId.slice(-4)}
            </code>
          </Link>
        </td>
      )}
      <td>{invoice.month}</td>
      <td>
        <StatePill status={state.status} />
      </td>
      <td>{invoice.issue_date}</td>
      <td>{invoice.due_date}</td>
      <td className={numberCell}>{formatMoney(invoice.total, currency)}</td>
      <td className={numberCell}>{formatMoney(state.due, currency)}</td>
      <td>{number !== null && <Documents rest={ADMIN} number={number} formats={['pdf']} />}</td>
    </tr>
  );
}
