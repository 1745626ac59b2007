import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { LiveState } from '../live/use-live.js';
import { PORTAL } from '../rest/queries.js';
import { change } from '../rest/request.js';
import { Icon } from '../ui/icon.js';
import { Pill } from '../ui/pill.js';
import { useAccount, useSession } from './session.js';
import css from './frame.module.css';

const LIVE: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting …',
  live: 'Live',
  waiting: 'Reconnecting …',
};

/** Whose account it is, whether the page is live, light or dark, and the way out. */
export function AccountMenu({ live }: { readonly live: LiveState }) {
  const { role } = useSession();
  const { name, test } = useAccount();
  return (
    <div className={css.account}>
      <div className={css.who}>
        <p className={css.name}>{name ?? 'Erased account'}</p>
        <p className={css.state}>
          <span className={css.dot} data-state={live} />
          <span role="status">{LIVE[live]}</span>
          {test && <Pill tone="info">test</Pill>}
          {role === 'viewer' && <Pill>view only</Pill>}
        </p>
      </div>
      <SchemeButton />
      <SignOutButton />
    </div>
  );
}

function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  const label = `Switch to ${other} colours`;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(other)}
    >
      <Icon name={scheme === 'dark' ? 'sun' : 'moon'} size={18} />
    </ActionIcon>
  );
}

function SignOutButton() {
  const client = useQueryClient();
  const signOut = useMutation({
    mutationFn: () => change('DELETE', `${PORTAL}/session`),
    onSettled: () => void client.resetQueries(),
  });
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label="Sign out"
      title="Sign out"
      loading={signOut.isPending}
      onClick={() => signOut.mutate()}
    >
      <Icon name="out" size={18} />
    </ActionIcon>
  );
}
