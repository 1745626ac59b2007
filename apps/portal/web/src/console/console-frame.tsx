import { ActionIcon, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import css from '../portal/frame.module.css';
import { Mark } from '../portal/mark.js';
import { CLOSE } from '../ui/confirm-button.js';
import { Icon, type IconName } from '../ui/icon.js';
import { OperatorMenu } from './operator-menu.js';

const GROUPS: readonly {
  readonly name: string;
  readonly links: readonly { to: string; label: string; icon: IconName }[];
}[] = [
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

function Navigation() {
  return (
    <nav className={css.nav} aria-label="Pages">
      {GROUPS.map(({ name, links }) => (
        <div key={name}>
          <p className={css.group}>{name}</p>
          <ul>
            {links.map(({ to, label, icon }) => (
              <li key={to}>
                <Link to={to} className={css.link} activeOptions={{ exact: to === '/' }}>
                  <Icon name={icon} size={17} />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** What stands around every page of the console: where one can go, and as whom. */
export function ConsoleFrame() {
  const [isOpen, { open, close }] = useDisclosure();
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => {
    close();
    window.scrollTo(0, 0);
  }, [path, close]);
  return (
    <div className={css.frame}>
      <a className={css.skip} href="#page">
        Skip to the page
      </a>
      <aside className={css.side}>
        <div className={css.brand}>
          <Mark />
        </div>
        <Navigation />
        <OperatorMenu />
      </aside>
      <header className={css.top}>
        <ActionIcon variant="subtle" color="gray" onClick={open} aria-label="Open the menu">
          <Icon name="menu" size={20} />
        </ActionIcon>
        <Mark />
      </header>
      <Drawer opened={isOpen} onClose={close} size={270} title={<Mark />} closeButtonProps={CLOSE}>
        <Navigation />
        <OperatorMenu />
      </Drawer>
      <main id="page" tabIndex={-1} className={css.main}>
        <Outlet />
      </main>
    </div>
  );
}
