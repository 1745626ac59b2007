import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { correctionsOf } from '../../account/held-corrections.js';
import { formatMoney } from '../../format/money.js';
import type { AnyInvoice, ListedInvoice } from '../../rest/data-answers.js';
import { Notice } from '../../ui/notice.js';
import { BillingButton } from '../accounts/billing-button.js';
import { invoicesQuery } from '../rest/admin-queries.js';

type Held = Extract<AnyInvoice | ListedInvoice, { readonly number: null }>;

/** Why an invoice is held, with the form that completes the billing details. */
export function HeldNotice({ invoice }: { readonly invoice: Held }) {
  const { id, account_id: accountId, month, total, currency, reasons } = invoice;
  const isOfBuyer = reasons.some(({ party }) => party === 'buyer');
  return (
    <Notice
      tone="warn"
      title={
        <>
          An invoice of {formatMoney(total, currency)} for{' '}
          <Link to={`/invoices/${id}` as string}>{month}</Link> is held
        </>
      }
      {...(isOfBuyer && {
        action: <BillingButton id={accountId} label="Complete the billing details" />,
      })}
    >
      <p>It is issued once this is corrected:</p>
      <Reasons of={invoice} />
    </Notice>
  );
}

function Reasons({ of: { reasons } }: { readonly of: Pick<Held, 'reasons'> }) {
  const { fields, others } = correctionsOf(reasons);
  return (
    <ul>
      {fields.length > 0 && <li>Billing details: {fields.join(', ')}.</li>}
      {others.map((detail) => (
        <li key={detail}>{detail}</li>
      ))}
    </ul>
  );
}

/** Each held invoice of an account. Draws nothing where there is none. */
export function HeldInvoices({ accountId }: { readonly accountId: string }) {
  const { data } = useInfiniteQuery(invoicesQuery({ account_id: accountId, status: 'held' }));
  const held = data?.pages.flatMap(({ items }) => items) ?? [];
  return held.map(
    (invoice) => invoice.number === null && <HeldNotice key={invoice.id} invoice={invoice} />,
  );
}
