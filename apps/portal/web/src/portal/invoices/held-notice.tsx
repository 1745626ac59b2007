import { correctionsOf } from '../../account/held-corrections.js';
import { formatMoney } from '../../format/money.js';
import { Notice } from '../../ui/notice.js';
import { BillingButton } from '../prices/billing-button.js';
import { useCanManage } from '../session.js';
import type { InvoiceSummary } from '../../rest/answers.js';

/** Facts of an invoice that is not issued yet. */
type HeldInvoice = Pick<
  InvoiceSummary,
  'id' | 'account_id' | 'month' | 'total' | 'currency' | 'reasons'
>;

/** Why an invoice is held, and who can correct it. */
export function HeldNotice({ invoice }: { readonly invoice: HeldInvoice }) {
  const canManage = useCanManage();
  const { fields, others } = correctionsOf(invoice.reasons ?? []);
  const total = formatMoney(invoice.total, invoice.currency);
  return (
    <Notice
      tone="warn"
      title={`An invoice of ${total} for ${invoice.month} is held`}
      {...(fields.length > 0 && { action: <BillingButton label="Complete the billing details" /> })}
    >
      {fields.length > 0 && (
        <p>
          The billing details of this account lack: {fields.join(', ')}.
          {canManage ? '' : ' A manager of this account can complete them.'}
        </p>
      )}
      {others.length > 0 && (
        <>
          <p>Your provider has to state or correct:</p>
          <ul>
            {others.map((detail) => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        </>
      )}
      <p>The invoice gets its number and is issued as soon as nothing is missing.</p>
    </Notice>
  );
}
