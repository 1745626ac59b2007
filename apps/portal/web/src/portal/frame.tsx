import { ActionIcon, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useLive } from '../live/use-live.js';
import { CLOSE } from '../ui/confirm-button.js';
import { Icon } from '../ui/icon.js';
import { AccountMenu } from './account-menu.js';
import { Mark } from './mark.js';
import { Navigation } from './navigation.js';
import css from './frame.module.css';

/** What stands around every page: where one can go, whose account it is, and whether it is live. */
export function Frame() {
  const live = useLive();
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
        <AccountMenu live={live} />
      </aside>
      <nav className={css.top} aria-label="Menu">
        <ActionIcon variant="subtle" color="gray" onClick={open} aria-label="Open the menu">
          <Icon name="menu" size={20} />
        </ActionIcon>
        <Mark />
      </nav>
      <Drawer opened={isOpen} onClose={close} size={270} title={<Mark />} closeButtonProps={CLOSE}>
        <Navigation />
        <AccountMenu live={live} />
      </Drawer>
      <main id="page" tabIndex={-1} className={css.main}>
        <Outlet />
      </main>
    </div>
  );
}
