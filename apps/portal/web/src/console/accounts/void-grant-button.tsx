import { formatCredits } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import type { Field } from '../../form/fields.js';
import type { Account } from '../../rest/answers.js';
import { FormButton } from '../form/form-button.js';
import type { OperatorGrant } from '../rest/admin-answers.js';
import { useAdminChange } from '../rest/use-admin-change.js';
import { BalanceAfter } from './balance-after.js';

interface VoidGrantProps {
  readonly grant: OperatorGrant;
  readonly account: Account;
}

const REASON: Field = {
  name: 'reason',
  label: 'Reason (optional)',
  description: 'Kept with the change, for whoever asks later.',
};

/** Ways in which the price of unused credits is given back. */
const REFUNDS = {
  credit_note: 'By a credit note, with its tax, at once.',
  lower_invoice: 'It is not invoiced yet: the invoice will bill only what was used.',
  no_invoice: 'It is not invoiced yet, and will not be.',
} as const;

function refundField({ refund_by: by }: OperatorGrant, money: string): Field {
  return {
    name: 'refund',
    label: `Give back ${money} net`,
    kind: 'flag',
    description:
      `${by ? REFUNDS[by] : ''} Otherwise it is forfeited: it is billed all the same, and becomes ` +
      'revenue.',
  };
}

/** Takes back what is left of a grant; the credits and the money are stated before. */
export function VoidGrantButton({ grant, account }: VoidGrantProps) {
  const change = useAdminChange();
  const { id, left, refund = 0 } = grant;
  const path = `/accounts/${account.id}/grants/${id}`;
  const money = formatMoney(refund, account.currency);
  return (
    <FormButton
      label="Void"
      title="Void what is left of this grant?"
      size="compact-sm"
      fields={refund > 0 ? [REASON, refundField(grant, money)] : [REASON]}
      initial={refund > 0 ? { refund: true } : {}}
      submit="Void it"
      irreversible
      onSubmit={(body) => change('DELETE', path, body)}
    >
      <p>
        <strong>{formatCredits(left)} are taken back from now on</strong> from{' '}
        {account.name ?? 'the account'}. <BalanceAfter account={account} taken={left} /> What was
        used of it stays used. This cannot be undone.
      </p>
      {refund === 0 && <p>No money moves: they have no price that could be given back.</p>}
    </FormButton>
  );
}
