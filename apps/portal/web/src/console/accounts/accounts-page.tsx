import { SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import css from '../console.module.css';
import { FormButton } from '../../form/form-button.js';
import { NEW_ACCOUNT } from './account-fields.js';
import { useChange } from '../../rest/use-change.js';
import { NewCustomer } from '../new-customer/new-customer-button.js';
import { AccountPills } from './account-pills.js';
import { admin } from '../admin.js';
import type { Account, AccountStatus } from '../../rest/answers.js';
import { pages } from '../../rest/reads.js';
import { DataTable, type Columns } from '../../ui/data-table.js';
import { day, main, number, text } from '../../ui/columns.js';

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
  const accounts = useInfiniteQuery(
    pages(admin.listAccounts({ search, status: status as AccountStatus })),
  );
  const isFiltered = search !== '' || status !== '';
  return (
    <Page title="Accounts" actions={<NewAccounts />}>
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
          {(items) => <DataTable label="Accounts" columns={COLUMNS} rows={items} />}
        </Paged>
      </Panel>
    </Page>
  );
}

const COLUMNS: Columns<Account> = [
  {
    ...main('Name', ({ name }) => name),
    cell: ({ id, name }) => (
      <Link to={`/accounts/${id}` as string}>{name ?? `erased (${id.slice(0, 8)})`}</Link>
    ),
  },
  {
    label: 'State',
    sort: ({ status }) => status,
    cell: (account) => <AccountPills account={account} />,
  },
  number('Balance', ({ balance }) => balance),
  number('This window', (account) => account.window_credits_used),
  text('Pays', ({ plan }) => (plan === null ? 'prepaid' : 'plan')),
  {
    label: 'Credits last until',
    sort: ({ forecast }) => forecast.exhausted_at,
    cell: (account) => <Until account={account} />,
  },
  day('Opened', (account) => account.opened_at),
];

/** How long the credits last at the present pace. */
function Until({ account }: { readonly account: Account }) {
  const { forecast, now, available_credits: available } = account;
  const { exhausted_at: at } = forecast;
  if (available !== null && available <= 0) return 'used up';
  return at === null || at <= now ? '–' : <Moment at={at} dateOnly />;
}

/** The form of a customer, and that of an account alone: of a test, or with terms of its own. */
function NewAccounts() {
  const change = useChange();
  const navigate = useNavigate();
  return (
    <div className={css.actions}>
      <FormButton
        label="New account"
        title="Open an account"
        fields={NEW_ACCOUNT}
        initial={{ currency: 'USD' }}
        submit="Open the account"
        onSubmit={async (body) => {
          const { id } = await change(admin.openAccount(), body);
          await navigate({ to: `/accounts/${id}` as string });
        }}
      >
        <p>The account has no credits, key or address yet. No money moves.</p>
      </FormButton>
      <NewCustomer />
    </div>
  );
}
