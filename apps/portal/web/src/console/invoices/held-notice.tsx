import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { correctionsOf } from '../../account/held-corrections.js';
import { formatMoney } from '../../format/money.js';
import { Notice } from '../../ui/notice.js';
import { BillingButton } from '../accounts/billing-button.js';
import { admin } from '../admin.js';
import type { InvoiceSummary } from '../../rest/answers.js';
import { pages } from '../../rest/reads.js';

/** Facts of an invoice that is not issued yet. */
type HeldInvoice = Pick<
  InvoiceSummary,
  'id' | 'account_id' | 'month' | 'total' | 'currency' | 'reasons'
>;

/** Why an invoice is held, with the form that completes the billing details. */
export function HeldNotice({ invoice }: { readonly invoice: HeldInvoice }) {
  const { id, account_id: accountId, month, total, currency, reasons = [] } = invoice;
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
      <Reasons of={reasons} />
    </Notice>
  );
}

function Reasons({ of }: { readonly of: NonNullable<HeldInvoice['reasons']> }) {
  const { fields, others } = correctionsOf(of);
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
  const { data } = useInfiniteQuery(
    pages(admin.listInvoices({ order: 'desc', account_id: accountId, status: 'held' })),
  );
  const held = data?.pages.flatMap(({ items }) => items) ?? [];
  return held.map((invoice) => <HeldNotice key={invoice.id} invoice={invoice} />);
}
