import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Frame } from '../frame/frame.js';
import { Menu } from '../frame/menu.js';
import type { PageGroup } from '../frame/navigation.js';
import { useIdleSignOut } from '../frame/use-idle-sign-out.js';
import { Pill } from '../ui/pill.js';
import { useConsoleSession, useMayRead } from './console-session.js';
import { useChangeRefusal } from '../form/change-refusal.js';
import { SearchKeys } from './search/search-keys.js';
import { admin } from './admin.js';
import { warningsQuery } from './queries.js';

const SIGN_OUT = admin.signOut();

const GROUPS: readonly PageGroup[] = [
  {
    name: 'Customers',
    links: [
      { to: '/', label: 'Overview', icon: 'overview' },
      { to: '/accounts', label: 'Accounts', icon: 'people' },
      {
        to: '/calls',
        label: 'Calls',
        icon: 'calls',
        tabs: [
          { to: '/calls', label: 'Calls' },
          { to: '/refusals', label: 'Refused calls' },
          { to: '/disputes', label: 'Disputes' },
        ],
      },
      {
        to: '/invoices',
        label: 'Billing',
        icon: 'invoices',
        tabs: [
          { to: '/invoices', label: 'Invoices' },
          { to: '/bank', label: 'Bank statements' },
          { to: '/exports', label: 'Exports' },
          { to: '/seller', label: 'Seller' },
        ],
      },
    ],
  },
  {
    name: 'Catalogue',
    links: [
      { to: '/rate-cards', label: 'Rate cards', icon: 'quote' },
      { to: '/releases', label: 'Releases', icon: 'windows' },
    ],
  },
  {
    name: 'Operation',
    links: [
      {
        to: '/service',
        label: 'Service',
        icon: 'usage',
        tabs: [
          { to: '/service', label: 'Service' },
          { to: '/webhooks', label: 'Webhooks' },
        ],
      },
      {
        to: '/audit',
        label: 'Security',
        icon: 'keys',
        tabs: [
          { to: '/audit', label: 'Audit log' },
          { to: '/operators', label: 'Operators' },
        ],
      },
    ],
  },
];

/** The frame of the operators' pages: what one may not read is not offered. */
export function ConsoleFrame() {
  useIdleSignOut(SIGN_OUT);
  const mayRead = useMayRead();
  const groups = GROUPS.map(({ name, links }) => ({
    name,
    links: links
      .filter(({ to }) => mayRead(to))
      .map(({ tabs = [], ...section }) => ({
        ...section,
        tabs: tabs.filter(({ to }) => mayRead(to)),
      })),
  })).filter(({ links }) => links.length > 0);
  const asOf = useFiguresAsOf();
  return (
    <SearchKeys disabled={!mayRead('/')}>
      {(search) => <Frame groups={groups} menu={<OperatorMenu />} asOf={asOf} search={search} />}
    </SearchKeys>
  );
}

/** While the service is away: when the oldest figure of the page was read. */
function useFiguresAsOf(): number | null {
  const client = useQueryClient();
  const { failureCount } = useQuery(warningsQuery);
  if (failureCount === 0) return null;
  const shown = client
    .getQueryCache()
    .findAll({ type: 'active' })
    .filter(({ queryKey: [topic], state }) => topic !== 'session' && state.dataUpdatedAt > 0);
  return Math.min(Date.now(), ...shown.map(({ state }) => state.dataUpdatedAt));
}

/** Whose token it is, and what it may do. */
function OperatorMenu() {
  const { name, role, has_company_account: isCompany } = useConsoleSession();
  const refusal = useChangeRefusal();
  return (
    <Menu name={name ?? 'Erased token'} signOut={SIGN_OUT} isCompany={isCompany}>
      <Pill>{role}</Pill>
      {refusal !== undefined && <span title={refusal}>view only</span>}
    </Menu>
  );
}
