import { Link } from '@tanstack/react-router';
import { Icon, type IconName } from '../ui/icon.js';
import css from './frame.module.css';

/** Pages that belong together. */
export interface PageGroup {
  readonly name: string;
  readonly links: readonly {
    readonly to: string;
    readonly label: string;
    readonly icon: IconName;
  }[];
}

export function Navigation({ groups }: { readonly groups: readonly PageGroup[] }) {
  return (
    <nav className={css.nav} aria-label="Pages">
      {groups.map(({ name, links }) => (
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
