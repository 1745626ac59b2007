import { Link, useMatchRoute } from '@tanstack/react-router';
import { Icon, type IconName } from '../ui/icon.js';
import css from './frame.module.css';

interface PageLink {
  readonly to: string;
  readonly label: string;
}

/** An entry of the menu. */
export interface Section extends PageLink {
  readonly icon: IconName;
  /** Its pages, as tabs, where it has more than one. */
  readonly tabs?: readonly PageLink[];
  /** Beginnings of paths that belong to it beside its own. */
  readonly also?: readonly string[];
}

/** Sections that belong together. */
export interface PageGroup {
  readonly name: string;
  readonly links: readonly Section[];
}

/** Returns a function: is a page of the section open? */
function useIsOpen(): (section: Section) => boolean {
  const match = useMatchRoute();
  return ({ to, tabs = [], also = [] }) =>
    [to, ...tabs.map((tab) => tab.to), ...also].some(
      (path) => match({ to: path, fuzzy: path !== '/' }) !== false,
    );
}

export function Navigation({ groups }: { readonly groups: readonly PageGroup[] }) {
  const isOpen = useIsOpen();
  return (
    <nav className={css.nav} aria-label="Pages">
      {groups.map(({ name, links }) => (
        <div key={name}>
          <p className={css.group}>{name}</p>
          <ul>
            {links.map((section) => (
              <li key={section.to}>
                <Link
                  to={section.to}
                  className={css.link}
                  activeOptions={{ exact: section.to === '/' }}
                  data-open={isOpen(section) || undefined}
                >
                  <Icon name={section.icon} size={17} />
                  {section.label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** The pages of the section that is open; nothing where it has one alone. */
export function Tabs({ groups }: { readonly groups: readonly PageGroup[] }) {
  const isOpen = useIsOpen();
  const section = groups.flatMap(({ links }) => links).find((one) => isOpen(one));
  const { label, tabs = [] } = section ?? {};
  if (tabs.length < 2) return null;
  return (
    <nav className={css.tabs} aria-label={`Pages of ${label}`}>
      {tabs.map((tab) => (
        <Link key={tab.to} to={tab.to} className={css.tab}>
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
