import css from '../console.module.css';
import { ActButton } from '../../form/act-button.js';
import { fromMinor, type Field, type FieldValue } from '../../form/fields.js';
import { formatMoney } from '../../format/money.js';
import { FormButton } from '../../form/form-button.js';
import { CreditedCredits, KEEP, VoidButton } from './void-button.js';
import { admin } from '../admin.js';
import type { IssuedInvoice } from '../../rest/answers.js';
import { useChange } from '../../rest/use-change.js';
import { ChangeButton } from '../../form/change-button.js';

/** Fields of money that came in or was paid back. */
export function paymentFields(currency: string): readonly Field[] {
  return [
    { name: 'amount', label: 'Amount', kind: 'money', currency },
    {
      name: 'date',
      label: 'Paid on',
      kind: 'date',
      description: 'Empty: today, as the account sees it.',
      beside: true,
    },
    { name: 'reference', label: 'Reference (optional)' },
  ];
}

function creditFields({ currency, lines }: IssuedInvoice): readonly Field[] {
  return [
    { name: 'reason', label: 'Reason', description: 'Stands on the credit note.' },
    {
      name: 'line',
      label: 'Line (empty: all that is left)',
      kind: 'select',
      nullable: true,
      options: lines
        .filter(({ amount }) => amount > 0)
        .map(({ n, description }) => ({ value: String(n), label: `${n}: ${description}` })),
    },
    { name: 'amount', label: 'Net amount of that line', kind: 'money', currency, beside: true },
    { ...KEEP, appliesTo: ({ line }) => isPurchase(lines, line) },
  ];
}

/** Whether a line of a purchase is credited: one that is chosen, or any. */
function isPurchase(lines: IssuedInvoice['lines'], chosen: FieldValue | undefined): boolean {
  return lines.some(
    ({ n, type }) => type === 'purchase' && (!chosen || String(n) === String(chosen)),
  );
}

/** The form names one line and an amount; the REST takes any number of both. */
function creditBody({ line, amount, ...others }: Record<string, unknown>) {
  if (line === null && amount === undefined) return others;
  return { ...others, lines: [{ line: Number(line), ...(amount !== undefined && { amount }) }] };
}

/** Recording payments; taking back a part or all of an invoice. */
export function InvoiceActions({ invoice }: { readonly invoice: IssuedInvoice }) {
  const { number, currency, state, total } = invoice;
  const change = useChange();
  const isLeft = state.credited < total;
  return (
    <div className={css.actions}>
      <ChangeButton
        label="Record a payment"
        title={`A payment of ${number}`}
        size="compact-sm"
        variant={state.due > 0 ? 'filled' : 'default'}
        fields={paymentFields(currency)}
        initial={state.due > 0 ? { amount: fromMinor(state.due, currency) } : {}}
        submit="Record it"
        of={admin.recordPayment({ number })}
      />
      {state.due > 0 && <RemindersButton invoice={invoice} />}
      {isLeft && (
        <>
          <FormButton
            label="Credit note"
            title={`Take back a part of ${number}`}
            size="compact-sm"
            fields={creditFields(invoice)}
            submit="Issue the credit note"
            irreversible
            onSubmit={(body) => change(admin.creditInvoice({ number }), creditBody(body))}
          >
            <CreditedCredits invoice={invoice} of="part" />
          </FormButton>
          <VoidButton invoice={invoice} />
          <ActButton
            label="Reissue"
            title={`Void ${number} and issue it again?`}
            confirm="Reissue it"
            irreversible
            of={admin.voidInvoice({ number })}
            body={{ reissue: true }}
          >
            A credit note takes back {formatMoney(total - state.credited, currency)}, all that is
            left of it, and the same lines are issued again under a new number, with the billing
            details and the tax as they are now. What was paid pays the new invoice. No credits
            move.
          </ActButton>
        </>
      )}
    </div>
  );
}

const REASON: readonly Field[] = [{ name: 'reason', label: 'Reason' }];

/** Stops the reminders of an invoice, or lets them go on. */
function RemindersButton({ invoice: { number, reminders } }: { readonly invoice: IssuedInvoice }) {
  const change = useChange();
  const { stopped } = reminders;
  return (
    <FormButton
      label={stopped ? 'Remind again' : 'Stop reminders'}
      title={stopped ? `Remind of ${number} again?` : `Stop the reminders of ${number}?`}
      size="compact-sm"
      fields={REASON}
      submit={stopped ? 'Remind again' : 'Stop them'}
      onSubmit={(body) =>
        change(admin.replaceReminders({ number }), { ...body, stopped: !stopped })
      }
    />
  );
}
