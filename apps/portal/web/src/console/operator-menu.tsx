import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import css from '../portal/frame.module.css';
import { change } from '../rest/request.js';
import { Icon } from '../ui/icon.js';
import { Pill } from '../ui/pill.js';
import { useChangeRefusal, useConsoleSession } from './console-session.js';
import { ADMIN } from './rest/admin-queries.js';

/** Who is signed in, light or dark, and the way out. */
export function OperatorMenu() {
  const { name, role } = useConsoleSession();
  const refusal = useChangeRefusal();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  const client = useQueryClient();
  const signOut = useMutation({
    mutationFn: () => change('DELETE', `${ADMIN}/session`),
    onSettled: () => void client.resetQueries(),
  });
  return (
    <div className={css.account}>
      <div className={css.who}>
        <p className={css.name}>{name ?? 'Erased token'}</p>
        <p className={css.state} {...(refusal !== undefined && { title: refusal })}>
          <Pill>{role}</Pill>
          {refusal !== undefined && <span>view only</span>}
        </p>
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Switch to ${other} colours`}
        title={`Switch to ${other} colours`}
        onClick={() => setColorScheme(other)}
      >
        <Icon name={scheme === 'dark' ? 'sun' : 'moon'} size={18} />
      </ActionIcon>
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
    </div>
  );
}
