import { ActionIcon, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { CLOSE } from '../ui/confirm-button.js';
import { Icon } from '../ui/icon.js';
import { Mark } from './mark.js';
import { Navigation, Tabs, type PageGroup } from './navigation.js';
import { NotCurrent } from './not-current.js';
import css from './frame.module.css';

interface FrameProps {
  readonly groups: readonly PageGroup[];
  /** Who is signed in, and the way out. */
  readonly menu: ReactNode;
  /** The moment up to which figures were current; null: they are. */
  readonly asOf: number | null;
  /** Opens the search over everything, where there is one. */
  readonly search?: (isSmall: boolean) => ReactNode;
}

/** The frame of every page: navigation and session menu. */
export function Frame({ groups, menu, asOf, search }: FrameProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => {
    close();
    window.scrollTo(0, 0);
  }, [path, close]);
  useEffect(() => {
    return keepFocusOrigin();
  }, []);
  return (
    <div className={css.frame}>
      <a className={css.skip} href="#page">
        Skip to the page
      </a>
      <aside className={css.side}>
        <div className={css.brand}>
          <Mark />
        </div>
        {search?.(false)}
        <Navigation groups={groups} />
        {menu}
      </aside>
      <nav className={css.top} aria-label="Menu">
        <ActionIcon variant="subtle" color="gray" onClick={open} aria-label="Open the menu">
          <Icon name="menu" size={20} />
        </ActionIcon>
        <Mark />
        {search?.(true)}
      </nav>
      <Drawer opened={isOpen} onClose={close} size={270} title={<Mark />} closeButtonProps={CLOSE}>
        <Navigation groups={groups} />
        {menu}
      </Drawer>
      <main id="page" tabIndex={-1} className={css.main}>
        <NotCurrent asOf={asOf} />
        <Tabs groups={groups} />
        <Outlet />
      </main>
    </div>
  );
}

const DIALOG = '[role="dialog"]';

function dialogs(): number {
  return document.querySelectorAll(DIALOG).length;
}

/**
 * When the last dialog has gone and nothing has the focus, what had it before the first one opened
 * has it again; where that has gone too, as a row that was removed, the page has it. Dialogs may
 * follow each other: a form is followed by the secret that it made. Returns how to stop.
 */
function keepFocusOrigin(): () => void {
  let origin: HTMLElement | null = null;
  let wasOpen = false;
  const remember = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLElement && target.closest(DIALOG) === null) origin = target;
  };
  const observer = new MutationObserver(() => {
    const isOpen = dialogs() > 0;
    if (wasOpen && !isOpen && document.activeElement === document.body) {
      const back = origin?.isConnected === true ? origin : document.querySelector('main');
      if (back instanceof HTMLElement) back.focus({ preventScroll: true });
    }
    wasOpen = isOpen;
  });
  document.addEventListener('focusin', remember);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', remember);
    observer.disconnect();
  };
}
