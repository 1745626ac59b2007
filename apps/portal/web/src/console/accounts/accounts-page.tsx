import { SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formatNumber } from '../../format/credits.js';
import type { Account } from '../../rest/answers.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { mainCell, numberCell } from '../../ui/table.js';
import css from '../console.module.css';
import { FormButton } from '../form/form-button.js';
import { accountsQuery } from '../rest/admin-queries.js';
import { useAdminChange } from '../rest/use-admin-change.js';
import { NEW_ACCOUNT } from './account-fields.js';
import { AccountPills } from './account-pills.js';

const SEARCH_DELAY_MS = 250;
const STATES = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'closed', label: 'Closed' },
];

/** Every customer: found by name or id, and opened from here. */
export function AccountsPage() {
  const [typed, setTyped] = useState('');
  const [status, setStatus] = useState('');
  const [search] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS);
  const accounts = useInfiniteQuery(accountsQuery({ search, status }));
  const isFiltered = search !== '' || status !== '';
  return (
    <Page title="Accounts" actions={<NewAccount />}>
      <div className={css.filters}>
        <TextInput
          className={css.search}
          label="Search"
          placeholder="Name, or the beginning of an id"
          type="search"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <SegmentedControl aria-label="State" data={STATES} value={status} onChange={setStatus} />
      </div>
      <Panel flush>
        <Paged
          of={accounts}
          rows={10}
          empty={
            <Empty title={isFiltered ? 'No account fits' : 'No accounts yet'}>
              {isFiltered ? 'Try a shorter part of the name.' : 'Open the first one.'}
            </Empty>
          }
        >
          {(items) => (
            <SortedTable label="Accounts" columns={COLUMNS} rows={items}>
              {(account) => <AccountRow key={account.id} account={account} />}
            </SortedTable>
          )}
        </Paged>
      </Panel>
    </Page>
  );
}

const COLUMNS: readonly SortedColumn<Account>[] = [
  { name: 'name', label: 'Name', value: ({ name }) => name },
  { name: 'state', label: 'State', value: ({ status }) => status },
  { name: 'balance', label: 'Balance', isNumber: true, value: ({ balance }) => balance },
  { name: 'window', label: 'This window', isNumber: true, value: (one) => one.window_credits_used },
  { name: 'pays', label: 'Pays', value: ({ plan }) => (plan === null ? 'prepaid' : 'plan') },
  { name: 'until', label: 'Credits last until', value: ({ forecast }) => forecast.exhausted_at },
  { name: 'opened', label: 'Opened', value: (account) => account.opened_at },
];

function AccountRow({ account }: { readonly account: Account }) {
  const { id, name, balance, window_credits_used: used, plan } = account;
  return (
    <tr>
      <td className={mainCell}>
        <Link to={`/accounts/${id}` as string}>{name ?? `erased (${id.slice(0, 8)})`}</Link>
      </td>
      <td>
        <AccountPills account={account} />
      </td>
      <td className={numberCell}>{formatNumber(balance)}</td>
      <td className={numberCell}>{formatNumber(used)}</td>
      <td>{plan === null ? 'prepaid' : 'plan'}</td>
      <td>
        <Until account={account} />
      </td>
      <td>
        <Moment at={account.opened_at} dateOnly />
      </td>
    </tr>
  );
}

/** How long the credits last at the present pace. */
function Until({ account }: { readonly account: Account }) {
  const { forecast, now, available_credits: available } = account;
  const { exhausted_at: at } = forecast;
  if (available !== null && available <= 0) return 'used up';
  return at === null || at <= now ? '–' : <Moment at={at} dateOnly />;
}

function NewAccount() {
  const change = useAdminChange();
  const navigate = useNavigate();
  return (
    <FormButton
      label="New account"
      title="Open an account"
      icon="plus"
      variant="filled"
      fields={NEW_ACCOUNT}
      initial={{ currency: 'USD' }}
      submit="Open the account"
      onSubmit={async (body) => {
        const { id } = await change<Account>('POST', '/accounts', body);
        await navigate({ to: `/accounts/${id}` as string });
      }}
    />
  );
}
