import { useInfiniteQuery } from '@tanstack/react-query';
import { formatNumber } from '../../format/credits.js';
import { formatMoney } from '../../format/money.js';
import type { Account } from '../../rest/answers.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { Pill, type Tone } from '../../ui/pill.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { mainCell, numberCell, softCell } from '../../ui/table.js';
import css from '../console.module.css';
import { FormButton } from '../form/form-button.js';
import { HeldInvoices } from '../invoices/held-notice.js';
import type { OperatorGrant } from '../rest/admin-answers.js';
import { grantsQuery } from '../rest/admin-queries.js';
import { useAdminChange } from '../rest/use-admin-change.js';
import { ADJUSTMENT, grantFields } from './account-fields.js';
import { VoidGrantButton } from './void-grant-button.js';

/** Grants of an account with what is left of them, and adjustments. */
export function CreditsPart({ account }: { readonly account: Account }) {
  const grants = useInfiniteQuery(grantsQuery(account.id));
  return (
    <>
      <HeldInvoices accountId={account.id} />
      <Panel flush title="Grants" aside={<CreditChanges account={account} />}>
        <Paged
          of={grants}
          empty={<Empty title="No grants yet">Calls are refused until there are credits.</Empty>}
        >
          {(items) => (
            <SortedTable label="Grants" columns={COLUMNS} rows={items}>
              {(grant) => <GrantRow key={grant.id} grant={grant} account={account} />}
            </SortedTable>
          )}
        </Paged>
      </Panel>
    </>
  );
}

const COLUMNS: readonly SortedColumn<OperatorGrant>[] = [
  { name: 'given', label: 'Given', value: (grant) => grant.granted_at },
  { name: 'kind', label: 'Kind', value: ({ kind }) => kind },
  { name: 'state', label: 'State', value: ({ status }) => status },
  { name: 'credits', label: 'Credits', isNumber: true, value: ({ credits }) => credits },
  { name: 'left', label: 'Left', isNumber: true, value: ({ left }) => left },
  { name: 'priority', label: 'Priority', isNumber: true, value: ({ priority }) => priority },
  { name: 'price', label: 'Price', isNumber: true, value: ({ price }) => price },
  { name: 'expires', label: 'Expires', value: (grant) => grant.expires_at },
  { name: 'note', label: 'Note', value: ({ note }) => note },
  { name: '', label: 'Actions' },
];

const TONES: Readonly<Record<OperatorGrant['status'], Tone>> = {
  active: 'good',
  spent: 'plain',
  expired: 'warn',
  voided: 'bad',
};

interface GrantRowProps {
  readonly grant: OperatorGrant;
  readonly account: Account;
}

function GrantRow({ grant, account }: GrantRowProps) {
  const { kind, status, credits, left, priority, price, note } = grant;
  return (
    <tr>
      <td>
        <Moment at={grant.granted_at} dateOnly />
      </td>
      <td>{kind}</td>
      <td>
        <Pill tone={TONES[status]}>{status}</Pill>
      </td>
      <td className={numberCell}>{formatNumber(credits)}</td>
      <td className={numberCell}>{formatNumber(left)}</td>
      <td className={numberCell}>{priority}</td>
      <td className={numberCell}>{price === null ? '–' : formatMoney(price, account.currency)}</td>
      <td>{grant.expires_at === null ? 'never' : <Moment at={grant.expires_at} dateOnly />}</td>
      <td className={`${mainCell} ${softCell}`}>{note}</td>
      <td>{status === 'active' && <VoidGrantButton grant={grant} account={account} />}</td>
    </tr>
  );
}

function CreditChanges({ account }: { readonly account: Account }) {
  const { id, currency, status, balance } = account;
  const change = useAdminChange();
  if (status === 'closed') return null;
  return (
    <div className={css.actions}>
      <FormButton
        label="Adjust"
        title="Give or take credits by hand"
        size="compact-sm"
        fields={ADJUSTMENT}
        submit="Adjust"
        onSubmit={(body) => change('POST', `/accounts/${id}/adjustments`, body)}
      >
        <p>
          The balance of {account.name ?? 'the account'} is {formatNumber(balance)} and changes at
          once. No money moves, and no document is issued.
        </p>
      </FormButton>
      <FormButton
        label="Grant credits"
        title="Grant credits"
        size="compact-sm"
        variant="filled"
        fields={grantFields(currency)}
        initial={{ kind: 'purchased' }}
        submit="Grant"
        onSubmit={(body) => change('POST', `/accounts/${id}/grants`, body)}
      >
        <p>
          The balance of {account.name ?? 'the account'} is {formatNumber(balance)} and grows at
          once. With a price the credits are invoiced: at once, or with their month where the
          billing details say so.
        </p>
      </FormButton>
    </div>
  );
}
