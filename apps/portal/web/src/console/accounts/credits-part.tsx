import { useQuery } from '@tanstack/react-query';
import { taxTerms } from '#invoice-rules/tax.js';
import { PriceTotal } from '../../account/price-total.js';
import { toMinor, type FormValues } from '../../form/fields.js';
import { one } from '../../rest/reads.js';
import { Notice } from '../../ui/notice.js';
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
  const { id, currency, status } = account;
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
        summary={({ credits }) => (
          <Notice>
            {balanceWords(account, credits)} No money moves, and no document is issued.
          </Notice>
        )}
      />
      <ChangeButton
        label="Grant credits"
        title="Grant credits"
        size="compact-sm"
        variant="filled"
        fields={grantFields(currency)}
        initial={{ kind: 'purchased' }}
        submit="Grant"
        of={admin.grantCredits({ account_id: id })}
        summary={(values) => <GrantEffects account={account} values={values} />}
      />
    </div>
  );
}

/** The balance before, and after what is typed. */
function balanceWords({ name, balance }: Account, credits: unknown): string {
  const after =
    typeof credits === 'number' ? ` and becomes ${formatNumber(balance + credits)}` : '';
  return `The balance of ${name ?? 'the account'} is ${formatNumber(balance)}${after} credits.`;
}

interface GrantEffectsProps {
  readonly account: Account;
  readonly values: FormValues;
}

/** The credits and the money of a grant, with its tax and when it is invoiced. */
function GrantEffects({ account, values: { kind, credits, price } }: GrantEffectsProps) {
  const { id, currency, plan } = account;
  const billing = useQuery(one(admin.getBillingDetails({ account_id: id }))).data;
  const isSold = kind === 'purchased' && typeof price === 'number' && price > 0;
  const when =
    billing?.purchases === 'monthly' ? 'It stands on the invoice of this month' : 'Invoiced now';
  return (
    <Notice>
      {balanceWords(account, credits)}{' '}
      {isSold ? (
        <>
          {when}:{' '}
          <PriceTotal
            net={toMinor(price, currency)}
            currency={currency}
            tax={taxTerms(plan, billing?.tax)}
          />
          .
        </>
      ) : (
        'No invoice is issued.'
      )}
    </Notice>
  );
}
