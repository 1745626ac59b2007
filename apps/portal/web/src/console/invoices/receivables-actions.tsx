import css from '../console.module.css';
import { fromMinor, type Field } from '../../form/fields.js';
import { paymentFields } from './invoice-actions.js';
import { admin } from '../admin.js';
import type { Receivables } from '../../rest/answers.js';
import { ChangeButton } from '../../form/change-button.js';

function writeOffFields({ open, currency }: Receivables): readonly Field[] {
  return [
    {
      name: 'number',
      label: 'Invoice',
      kind: 'select',
      options: open.map(({ number }) => ({ value: number, label: number })),
    },
    {
      name: 'amount',
      label: 'Amount',
      kind: 'money',
      currency,
      description: 'Empty: all that is due.',
      beside: true,
    },
    { name: 'reason', label: 'Reason' },
  ];
}

/** Payments of an account, what it is paid back, and what is not expected any more. */
export function ReceivablesActions({ of }: { readonly of: Receivables }) {
  const { account_id: id, currency, owed, open, to_refund: back, credit_balance: kept } = of;
  return (
    <div className={css.actions}>
      <ChangeButton
        label="Record a payment"
        title="A payment of the account"
        size="compact-sm"
        variant="filled"
        fields={paymentFields(currency)}
        initial={owed > 0 ? { amount: fromMinor(owed, currency) } : {}}
        submit="Record it"
        of={admin.receivePayment({ account_id: id })}
      />
      {back + kept > 0 && (
        <ChangeButton
          label="Record a refund"
          title="What was paid back"
          size="compact-sm"
          fields={paymentFields(currency)}
          initial={{ amount: fromMinor(back + kept, currency) }}
          submit="Record it"
          of={admin.recordRefund({ account_id: id })}
        />
      )}
      {open.length > 0 && (
        <ChangeButton
          label="Write off"
          title="Write off what an invoice will not bring"
          size="compact-sm"
          fields={writeOffFields(of)}
          submit="Write it off"
          of={admin.writeOff({ account_id: id })}
        />
      )}
    </div>
  );
}
