import { useQuery } from '@tanstack/react-query';
import { formatCredits, formatNumber } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import type { Field } from '../../form/fields.js';
import type { Invoice } from '../../rest/data-answers.js';
import { FormButton } from '../form/form-button.js';
import { accountQuery } from '../rest/admin-queries.js';
import { useAdminChange } from '../rest/use-admin-change.js';

const REASON: Field = {
  name: 'reason',
  label: 'Reason (optional)',
  description: 'Stands on the credit note.',
};
const KEEP: Field = {
  name: 'keep_credits',
  label: 'The account keeps the credits',
  kind: 'flag',
  description: 'They become promotional: nobody has paid for them.',
};

/** Takes back all that is left of an invoice; what moves is stated before. */
export function VoidButton({ invoice }: { readonly invoice: Invoice }) {
  const { number, lines } = invoice;
  const change = useAdminChange();
  const bought = lines.some(({ type }) => type === 'purchase');
  return (
    <FormButton
      label="Void"
      title={`Take back all that is left of ${number}?`}
      size="compact-sm"
      fields={bought ? [REASON, KEEP] : [REASON]}
      submit="Void it"
      onSubmit={(body) => change('POST', `/invoices/${number}/void`, body)}
    >
      <Consequences invoice={invoice} />
    </FormButton>
  );
}

function Consequences({ invoice }: { readonly invoice: Invoice }) {
  const { account_id: id, lines, currency, state, total } = invoice;
  const account = useQuery(accountQuery(id)).data;
  const grants = new Set(
    lines.flatMap((line) => (line.type === 'purchase' ? [line.grant_id] : [])),
  );
  const left = (account?.grants ?? [])
    .filter((grant) => grants.has(grant.id))
    .reduce((sum, grant) => sum + grant.left, 0);
  const name = account?.name ?? 'the account';
  return (
    <>
      <p>
        A credit note over {formatMoney(total - state.credited, currency)} is issued for {name} at
        once. The invoice itself stays as it is. This cannot be undone.
      </p>
      {grants.size === 0 && <p>No credits move.</p>}
      {grants.size > 0 && account !== undefined && (
        <p>
          <strong>{formatCredits(left)} are taken back from now on</strong>, unless the account
          keeps them: its balance of {formatNumber(account.balance)} becomes{' '}
          {formatNumber(account.balance - left)}.{' '}
          {account.overdraft_credits !== null &&
            account.balance - left + account.overdraft_credits <= 0 &&
            'All its calls are refused then.'}
        </p>
      )}
    </>
  );
}
