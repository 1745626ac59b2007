import { formatNumber } from '../../format/credits.js';
import { type Tone } from '../../ui/pill.js';
import css from '../console.module.css';
import { HeldInvoices } from '../invoices/held-notice.js';
import { ADJUSTMENT, grantFields } from './account-fields.js';
import { OpenOrder } from './open-order.js';
import { VoidGrantButton } from './void-grant-button.js';
import { admin } from '../admin.js';
import type { Account, GrantDetails } from '../../rest/answers.js';
import { type Columns } from '../../ui/data-table.js';
import { ListPanel } from '../../ui/list-panel.js';
import { actions, day, money, number, pill, text } from '../../ui/columns.js';
import { ChangeButton } from '../../form/change-button.js';

/** Grants of an account with what is left of them, and adjustments. */
export function CreditsPart({ account }: { readonly account: Account }) {
  return (
    <>
      <OpenOrder account={account} />
      <HeldInvoices accountId={account.id} />
      <ListPanel
        title="Grants"
        aside={<CreditChanges account={account} />}
        of={admin.listGrants({ account_id: account.id })}
        columns={columnsOf(account)}
        empty={['No grants yet', 'Calls are refused until there are credits.']}
      />
    </>
  );
}

const TONES: Readonly<Record<GrantDetails['status'], Tone>> = {
  active: 'good',
  spent: 'plain',
  expired: 'warn',
  voided: 'bad',
};

function columnsOf(account: Account): Columns<GrantDetails> {
  return [
    day('Given', (grant) => grant.granted_at),
    text('Kind', ({ kind }) => kind),
    pill('State', ({ status }) => status, TONES),
    number('Credits', ({ credits }) => credits),
    number('Left', ({ left }) => left),
    number('Priority', ({ priority }) => priority),
    money(
      'Price',
      ({ price }) => price,
      () => account.currency,
    ),
    day('Expires', (grant) => grant.expires_at, 'never'),
    { ...text('Note', ({ note }) => note), kind: 'note' },
    actions(
      (grant) => grant.status === 'active' && <VoidGrantButton grant={grant} account={account} />,
    ),
  ];
}

function CreditChanges({ account }: { readonly account: Account }) {
  const { id, currency, status, balance } = account;
  if (status === 'closed') return null;
  return (
    <div className={css.actions}>
      <ChangeButton
        label="Adjust"
        title="Give or take credits by hand"
        size="compact-sm"
        fields={ADJUSTMENT}
        submit="Adjust"
        of={admin.adjustCredits({ account_id: id })}
      >
        <p>
          The balance of {account.name ?? 'the account'} is {formatNumber(balance)} and changes at
          once. No money moves, and no document is issued.
        </p>
      </ChangeButton>
      <ChangeButton
        label="Grant credits"
        title="Grant credits"
        size="compact-sm"
        variant="filled"
        fields={grantFields(currency)}
        initial={{ kind: 'purchased' }}
        submit="Grant"
        of={admin.grantCredits({ account_id: id })}
      >
        <p>
          The balance of {account.name ?? 'the account'} is {formatNumber(balance)} and grows at
          once. With a price the credits are invoiced: at once, or with their month where the
          billing details say so.
        </p>
      </ChangeButton>
    </div>
  );
}
