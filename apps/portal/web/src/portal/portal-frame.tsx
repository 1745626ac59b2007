import { Frame } from '../frame/frame.js';
import css from '../frame/frame.module.css';
import { Menu } from '../frame/menu.js';
import { useSince } from '../frame/not-current.js';
import type { PageGroup } from '../frame/navigation.js';
import { useIdleSignOut } from '../frame/use-idle-sign-out.js';
import { useLive, type LiveState } from '../live/use-live.js';
import { PORTAL } from '../rest/queries.js';
import { Pill } from '../ui/pill.js';
import { AccountSwitch } from './account-switch.js';
import { useAccount, useSession } from './session.js';

const GROUPS: readonly PageGroup[] = [
  {
    name: 'Spending',
    links: [
      { to: '/', label: 'Overview', icon: 'overview' },
      { to: '/windows', label: 'Windows', icon: 'windows' },
      { to: '/usage', label: 'Usage', icon: 'usage' },
      { to: '/calls', label: 'Calls', icon: 'calls' },
      { to: '/refusals', label: 'Refused calls', icon: 'warning' },
      { to: '/disputes', label: 'Disputes', icon: 'info' },
      { to: '/reconciliation', label: 'Reconciliation', icon: 'check' },
      { to: '/savings', label: 'Savings', icon: 'fall' },
      { to: '/prices', label: 'Prices', icon: 'quote' },
    ],
  },
  { name: 'Data', links: [{ to: '/explorer', label: 'Explorer', icon: 'explorer' }] },
  {
    name: 'Account',
    links: [
      { to: '/budgets', label: 'Budgets & alerts', icon: 'budgets' },
      { to: '/api-keys', label: 'API keys', icon: 'keys' },
      { to: '/webhooks', label: 'Webhooks', icon: 'webhooks' },
      { to: '/invoices', label: 'Invoices', icon: 'invoices' },
      { to: '/sessions', label: 'Signed in', icon: 'out' },
    ],
  },
];

/** The frame of the customers' pages, which keeps them live. */
export function PortalFrame() {
  useIdleSignOut(PORTAL);
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
    <Menu name={name ?? 'Erased account'} rest={PORTAL} isCompany={member !== null}>
      <span className={css.dot} data-state={live} />
      <span role="status">{LIVE[live]}</span>
      {test && <Pill tone="info">test</Pill>}
      {role === 'viewer' && <Pill>view only</Pill>}
      <AccountSwitch />
    </Menu>
  );
}
