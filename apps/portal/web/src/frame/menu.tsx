import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Command } from '#client/operations.js';
import type { ReactNode } from 'react';
import { BASE_PATH } from '../rest/base-path.js';
import { Icon } from '../ui/icon.js';
import css from './frame.module.css';
import { send } from '../rest/request.js';

interface MenuProps {
  /** Whose pages these are. */
  readonly name: string;
  /** Ends the session. */
  readonly signOut: Command<undefined>;
  /** Whether the company's sign-in is to end too. */
  readonly isCompany: boolean;
  /** Facts about the session. */
  readonly children: ReactNode;
}

/** Who is signed in, light or dark, and the way out. */
export function Menu({ name, signOut, isCompany, children }: MenuProps) {
  return (
    <div className={css.account}>
      <div className={css.who}>
        <p className={css.name}>{name}</p>
        <p className={css.state}>{children}</p>
      </div>
      <SchemeButton />
      <SignOutButton signOut={signOut} isCompany={isCompany} />
    </div>
  );
}

/**
 * Text that fades from one scheme to the other cannot be read meanwhile. Mantine stops transitions
 * with a style element, which the Content-Security-Policy refuses.
 */
function withoutTransitions(change: () => void): void {
  const page = document.documentElement;
  page.dataset.still = '';
  change();
  requestAnimationFrame(() => requestAnimationFrame(() => delete page.dataset.still));
}

function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  const label = `Switch to ${other} colours`;
  const switchTo = () => withoutTransitions(() => setColorScheme(other));
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} onClick={switchTo}>
      <Icon name={scheme === 'dark' ? 'sun' : 'moon'} size={18} />
    </ActionIcon>
  );
}

function SignOutButton({ signOut, isCompany }: Pick<MenuProps, 'signOut' | 'isCompany'>) {
  const client = useQueryClient();
  const leave = useMutation({
    mutationFn: () => send(signOut),
    onSuccess: () => {
      if (isCompany) location.assign(`${BASE_PATH}/oidc/sign-out`);
    },
    onSettled: () => void client.resetQueries(),
  });
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label="Sign out"
      title="Sign out"
      loading={leave.isPending}
      onClick={() => leave.mutate()}
    >
      <Icon name="out" size={18} />
    </ActionIcon>
  );
}
