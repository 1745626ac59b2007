import { Link } from '@tanstack/react-router';
import { Icon, type IconName } from '../ui/icon.js';
import css from './frame.module.css';

const GROUPS: readonly {
  readonly name: string;
  readonly links: readonly { to: string; label: string; icon: IconName }[];
}[] = [
  {
    name: 'Spending',
    links: [
      { to: '/', label: 'Overview', icon: 'overview' },
      { to: '/windows', label: 'Windows', icon: 'windows' },
      { to: '/usage', label: 'Usage', icon: 'usage' },
      { to: '/calls', label: 'Calls', icon: 'calls' },
    ],
  },
  {
    name: 'Data',
    links: [
      { to: '/explorer', label: 'Explorer', icon: 'explorer' },
      { to: '/quote', label: 'Quote', icon: 'quote' },
    ],
  },
  {
    name: 'Account',
    links: [
      { to: '/budgets', label: 'Budgets & alerts', icon: 'budgets' },
      { to: '/api-keys', label: 'API keys', icon: 'keys' },
      { to: '/webhooks', label: 'Webhooks', icon: 'webhooks' },
      { to: '/invoices', label: 'Invoices', icon: 'invoices' },
    ],
  },
];

export function Navigation() {
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
