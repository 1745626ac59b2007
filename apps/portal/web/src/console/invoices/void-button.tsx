import { useQuery } from '@tanstack/react-query';
import { formatCredits } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import type { Field } from '../../form/fields.js';
import { BalanceAfter } from '../accounts/balance-after.js';
import { admin } from '../admin.js';
import type { IssuedInvoice } from '../../rest/answers.js';
import { one } from '../../rest/reads.js';
import { ChangeButton } from '../../form/change-button.js';

const REASON: Field = {
  name: 'reason',
  label: 'Reason (optional)',
  description: 'Stands on the credit note.',
};
export const KEEP: Field = {
  name: 'keep_credits',
  label: 'The account keeps the credits',
  kind: 'flag',
  description: 'They become promotional: nobody has paid for them.',
};

/** Takes back all that is left of an invoice; what moves is stated before. */
export function VoidButton({ invoice }: { readonly invoice: IssuedInvoice }) {
  const { number, lines } = invoice;
  const bought = lines.some(({ type }) => type === 'purchase');
  return (
    <ChangeButton
      label="Void"
      title={`Take back all that is left of ${number}?`}
      size="compact-sm"
      fields={bought ? [REASON, KEEP] : [REASON]}
      submit="Void it"
      irreversible
      of={admin.voidInvoice({ number })}
    >
      <CreditedCredits invoice={invoice} of="all" />
    </ChangeButton>
  );
}

interface CreditedCreditsProps {
  readonly invoice: IssuedInvoice;
  /** How much of the invoice is taken back. */
  readonly of: 'all' | 'part';
}

/** The money and the credits that a credit note moves, for whom and from when. */
export function CreditedCredits({ invoice, of }: CreditedCreditsProps) {
  const { account_id: id, lines, currency, state, total } = invoice;
  const account = useQuery(one(admin.getAccount({ account_id: id }))).data;
  const grants = new Set(
    lines.flatMap((line) => (line.type === 'purchase' ? [line.grant_id] : [])),
  );
  const left = (account?.grants ?? [])
    .filter((grant) => grants.has(grant.id))
    .reduce((sum, grant) => sum + grant.left, 0);
  const money = formatMoney(total - state.credited, currency);
  return (
    <>
      <p>
        A credit note over {of === 'part' && 'at most '}
        {money} is issued for {account?.name ?? 'the account'} at once. The invoice itself stays as
        it is. This cannot be undone.
      </p>
      {grants.size === 0 && <p>No credits move.</p>}
      {grants.size > 0 && account !== undefined && (
        <p>
          {of === 'part' &&
            'With a part of a purchase goes as large a part of its unused credits. With all of it: '}
          <strong>{formatCredits(left)} are taken back from now on</strong>, unless the account
          keeps them. <BalanceAfter account={account} taken={left} />
        </p>
      )}
    </>
  );
}
