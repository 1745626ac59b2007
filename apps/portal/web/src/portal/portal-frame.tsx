import { Frame } from '../frame/frame.js';
import css from '../frame/frame.module.css';
import { Menu } from '../frame/menu.js';
import { useSince } from '../frame/not-current.js';
import type { PageGroup } from '../frame/navigation.js';
import { useIdleSignOut } from '../frame/use-idle-sign-out.js';
import { useLive, type LiveState } from '../live/use-live.js';
import { Pill } from '../ui/pill.js';
import { useAccount, useSession } from './session.js';
import { portal } from '../rest/portal.js';
import { NativeSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { membershipsQuery } from '../rest/queries.js';
import { send } from '../rest/request.js';

const SIGN_OUT = portal.signOut();

const GROUPS: readonly PageGroup[] = [
  {
    name: 'Spending',
    links: [
      { to: '/', label: 'Overview', icon: 'overview' },
      {
        to: '/usage',
        label: 'Usage',
        icon: 'usage',
        tabs: [
          { to: '/usage', label: 'Usage' },
          { to: '/weeks', label: 'Weeks' },
        ],
      },
      {
        to: '/calls',
        label: 'Calls',
        icon: 'calls',
        tabs: [
          { to: '/calls', label: 'Calls' },
          { to: '/refusals', label: 'Refused calls' },
          { to: '/disputes', label: 'Disputes' },
          { to: '/reconciliation', label: 'Reconciliation' },
        ],
      },
      { to: '/prices', label: 'Prices', icon: 'quote' },
    ],
  },
  {
    name: 'Data',
    links: [{ to: '/explorer', label: 'Explorer', icon: 'explorer', also: ['/dashboard'] }],
  },
  {
    name: 'Account',
    links: [
      {
        to: '/invoices',
        label: 'Billing',
        icon: 'invoices',
        tabs: [
          { to: '/invoices', label: 'Invoices' },
          { to: '/credits', label: 'Get credits' },
          { to: '/month', label: 'This month' },
          { to: '/payments', label: 'Payments' },
          { to: '/statement', label: 'Statement' },
          { to: '/billing', label: 'Details' },
        ],
      },
      { to: '/budgets', label: 'Budgets & alerts', icon: 'budgets' },
      {
        to: '/api-keys',
        label: 'Developers',
        icon: 'keys',
        tabs: [
          { to: '/api-keys', label: 'API keys' },
          { to: '/webhooks', label: 'Webhooks' },
        ],
      },
      { to: '/sessions', label: 'Team', icon: 'people' },
    ],
  },
];

/** The frame of the customers' pages, which keeps them live. */
export function PortalFrame() {
  useIdleSignOut(SIGN_OUT);
  const live = useLive();
  const asOf = useSince(live === 'waiting');
  return <Frame groups={GROUPS} menu={<AccountMenu live={live} />} asOf={asOf} />;
}

const LIVE: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting …',
  live: 'Live',
  waiting: 'Reconnecting …',
};

/** Whose account it is, and whether the page is live. */
function AccountMenu({ live }: { readonly live: LiveState }) {
  const { role, member } = useSession();
  const { name, test } = useAccount();
  return (
    <Menu name={name ?? 'Erased account'} signOut={SIGN_OUT} isCompany={member !== null}>
      <span className={css.dot} data-state={live} />
      <span role="status">{LIVE[live]}</span>
      {test && <Pill tone="info">test</Pill>}
      {role === 'viewer' && <Pill>view only</Pill>}
      <AccountSwitch />
    </Menu>
  );
}

/** Goes over to another account of the same person; nothing where there is one alone. */
function AccountSwitch() {
  const client = useQueryClient();
  const accounts = useQuery(membershipsQuery).data ?? [];
  const go = useMutation({
    mutationFn: (id: string) => send(portal.replaceSessionAccount(), { account_id: id }),
    onSuccess: () => client.resetQueries(),
  });
  const current = accounts.find((account) => account.current);
  if (accounts.length < 2 || current === undefined) return null;
  return (
    <NativeSelect
      aria-label="Account"
      size="xs"
      data={accounts.map(({ account_id: value, name: label }) => ({ value, label }))}
      value={current.account_id}
      disabled={go.isPending}
      onChange={(event) => go.mutate(event.currentTarget.value)}
    />
  );
}
