import { useEffect, type ReactNode } from 'react';
import { useZones } from './zones.js';
import css from './page.module.css';

interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A page with its heading, which is the title of the browser's tab too. */
export function Page({ title, lead, actions, wide = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Popindex`;
  }, [title]);
  return (
    <div className={`${css.page} settles`} data-wide={wide || undefined}>
      <header className={css.head}>
        <div className={css.titles}>
          <h1 className={css.title}>{title}</h1>
          {lead !== undefined && <p className={css.lead}>{lead}</p>}
          <TimeZone />
        </div>
        {actions !== undefined && <div className={css.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Where the reader's clocks differ: the zone of all times, and a switch to the other one. */
function TimeZone() {
  const { billing, shown, other, switchZone } = useZones();
  if (other === null) return null;
  return (
    <p className={css.zone}>
      Times in {shown}
      {shown !== billing && `; sums by day, week and month in ${billing}`} ·{' '}
      <button type="button" className={css.switch} onClick={switchZone}>
        show {other}
      </button>
    </p>
  );
}

interface PanelProps {
  readonly title?: ReactNode;
  readonly aside?: ReactNode;
  readonly flush?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A part of a page on a surface of its own. `flush`: its content reaches the edges. */
export function Panel({ title, aside, flush = false, className = '', children }: PanelProps) {
  return (
    <section className={`${css.panel} ${className}`} data-flush={flush || undefined}>
      {title !== undefined && (
        <div className={css.panelHead}>
          <h2 className={css.panelTitle}>{title}</h2>
          {aside !== undefined && <div className={css.aside}>{aside}</div>}
        </div>
      )}
      <div className={css.panelBody}>{children}</div>
    </section>
  );
}
