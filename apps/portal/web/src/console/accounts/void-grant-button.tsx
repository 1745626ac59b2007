import { formatCredits } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import type { Field } from '../../form/fields.js';
import { BalanceAfter } from './balance-after.js';
import { admin } from '../admin.js';
import type { Account, GrantDetails } from '../../rest/answers.js';
import { ChangeButton } from '../../form/change-button.js';

interface VoidGrantProps {
  readonly grant: GrantDetails;
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

function refundField({ refund_by: by }: GrantDetails, money: string): Field {
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
  const { id, left, refund = 0 } = grant;
  const money = formatMoney(refund, account.currency);
  return (
    <ChangeButton
      label="Void"
      title="Void what is left of this grant?"
      size="compact-sm"
      fields={refund > 0 ? [REASON, refundField(grant, money)] : [REASON]}
      initial={refund > 0 ? { refund: true } : {}}
      submit="Void it"
      irreversible
      of={admin.voidGrant({ account_id: account.id, grant_id: id })}
    >
      <p>
        <strong>{formatCredits(left)} are taken back from now on</strong> from{' '}
        {account.name ?? 'the account'}. <BalanceAfter account={account} taken={left} /> What was
        used of it stays used. This cannot be undone.
      </p>
      {refund === 0 && <p>No money moves: they have no price that could be given back.</p>}
    </ChangeButton>
  );
}
