import { Frame } from '../frame/frame.js';
import { Menu } from '../frame/menu.js';
import type { PageGroup } from '../frame/navigation.js';
import { useIdleSignOut } from '../frame/use-idle-sign-out.js';
import { Pill } from '../ui/pill.js';
import { useChangeRefusal, useConsoleSession, useMayRead } from './console-session.js';
import { ADMIN } from './rest/admin-queries.js';

const GROUPS: readonly PageGroup[] = [
  {
    name: 'Customers',
    links: [
      { to: '/', label: 'Accounts', icon: 'overview' },
      { to: '/invoices', label: 'Invoices', icon: 'invoices' },
      { to: '/exports', label: 'Exports', icon: 'download' },
      { to: '/seller', label: 'Seller', icon: 'info' },
    ],
  },
  {
    name: 'What is sold',
    links: [
      { to: '/rate-cards', label: 'Rate cards', icon: 'quote' },
      { to: '/releases', label: 'Releases', icon: 'windows' },
    ],
  },
  {
    name: 'Service',
    links: [
      { to: '/live', label: 'Live', icon: 'usage' },
      { to: '/webhooks', label: 'Webhooks', icon: 'webhooks' },
      { to: '/projections', label: 'Projections', icon: 'refresh' },
      { to: '/verify', label: 'Verify', icon: 'check' },
      { to: '/audit', label: 'Audit log', icon: 'calls' },
    ],
  },
];

/** The frame of the operators' pages: what one may not read is not offered. */
export function ConsoleFrame() {
  useIdleSignOut(ADMIN);
  const mayRead = useMayRead();
  const groups = GROUPS.map(({ name, links }) => ({
    name,
    links: links.filter(({ to }) => mayRead(to)),
  })).filter(({ links }) => links.length > 0);
  return <Frame groups={groups} menu={<OperatorMenu />} />;
}

/** Whose token it is, and what it may do. */
function OperatorMenu() {
  const { name, role } = useConsoleSession();
  const refusal = useChangeRefusal();
  return (
    <Menu name={name ?? 'Erased token'} rest={ADMIN}>
      <Pill>{role}</Pill>
      {refusal !== undefined && <span title={refusal}>view only</span>}
    </Menu>
  );
}
