import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { problemOf } from '../../rest/problem.js';
import { Icon } from '../../ui/icon.js';
import css from '../console.module.css';
import { useChangeRefusal } from '../../form/change-refusal.js';
import { ActButton } from '../../form/act-button.js';
import { CloseConsequences, SuspendConsequences } from './account-consequences.js';
import { admin } from '../admin.js';
import type { Account } from '../../rest/answers.js';
import { useChange } from '../../rest/use-change.js';
import { ChangeButton } from '../../form/change-button.js';

/** Actions on the account as a whole. */
export function AccountActions({ account }: { readonly account: Account }) {
  const { id, status, name, test_clock: clock } = account;
  const of = name ?? 'this account';
  return (
    <div className={css.pills}>
      <OpenPortal id={id} />
      {clock !== null && status !== 'closed' && <MoveClock id={id} />}
      {status === 'active' && (
        <ActButton
          label="Suspend"
          title={`Suspend ${of}?`}
          confirm="Suspend it"
          of={admin.suspendAccount({ account_id: id })}
        >
          <SuspendConsequences account={account} />
        </ActButton>
      )}
      {status === 'suspended' && (
        <ActButton
          label="Resume"
          title={`Resume ${of}?`}
          confirm="Resume it"
          of={admin.resumeAccount({ account_id: id })}
        >
          Its calls are answered and charged again from the next one on. What has expired or was
          invoiced meanwhile stays so. No credits and no money move.
        </ActButton>
      )}
      {status !== 'closed' && (
        <ActButton
          label="Close"
          title={`Close ${of} for ever?`}
          confirm="Close it"
          irreversible
          of={admin.closeAccount({ account_id: id })}
        >
          <CloseConsequences account={account} />
        </ActButton>
      )}
      {status === 'closed' && name !== null && (
        <ActButton
          label="Erase personal data"
          title={`Erase the personal data of ${of}?`}
          confirm="Erase it"
          irreversible
          of={admin.eraseAccount({ account_id: id })}
        >
          Names, notes and addresses are blanked for ever, from now on. No credits and no money
          move: what was charged and invoiced stays. It is refused while anything is still to be
          invoiced.
        </ActButton>
      )}
    </div>
  );
}

/** The page is opened at once, because browsers block what opens after an answer. */
function OpenPortal({ id }: { readonly id: string }) {
  const change = useChange();
  const refusal = useChangeRefusal();
  const open = useMutation({
    mutationFn: async (page: Window | null) => {
      try {
        const { url } = await change(admin.openPortalSession({ account_id: id }), {
          role: 'viewer',
          reason: 'Opened from the console.',
        });
        if (url === undefined) return;
        if (page === null) location.assign(url);
        else page.location.replace(url);
      } catch (error) {
        page?.close();
        throw error;
      }
    },
  });
  const problem = open.isError ? problemOf(open.error) : null;
  return (
    <>
      <Button
        size="compact-sm"
        leftSection={<Icon name="external" size={14} />}
        loading={open.isPending}
        disabled={refusal !== undefined}
        title={refusal ?? 'Read-only, in a new tab'}
        onClick={() => open.mutate(window.open('', '_blank'))}
      >
        Open the portal
      </Button>
      {problem !== null && <span role="alert">{problem.detail ?? problem.title}</span>}
    </>
  );
}

function MoveClock({ id }: { readonly id: string }) {
  return (
    <ChangeButton
      label="Move the clock"
      title="Move the test clock"
      size="compact-sm"
      fields={[
        {
          name: 'now',
          label: 'To',
          kind: 'moment',
          description: 'Forward, at most 400 days. What falls due on the way happens.',
        },
      ]}
      submit="Move it"
      of={admin.moveTestClock({ account_id: id })}
    />
  );
}
