import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Account } from '../../rest/answers.js';
import { problemOf } from '../../rest/problem.js';
import { Icon } from '../../ui/icon.js';
import css from '../console.module.css';
import { useChangeRefusal } from '../console-session.js';
import { ActButton } from '../form/act-button.js';
import { FormButton } from '../form/form-button.js';
import type { OpenedPortalSession } from '../rest/admin-answers.js';
import { useAdminChange } from '../rest/use-admin-change.js';
import { CloseConsequences, SuspendConsequences } from './account-consequences.js';

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
          method="POST"
          path={`/accounts/${id}/suspend`}
        >
          <SuspendConsequences account={account} />
        </ActButton>
      )}
      {status === 'suspended' && (
        <ActButton
          label="Resume"
          title={`Resume ${of}?`}
          confirm="Resume it"
          method="POST"
          path={`/accounts/${id}/resume`}
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
          method="POST"
          path={`/accounts/${id}/close`}
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
          method="POST"
          path={`/accounts/${id}/erase`}
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
  const change = useAdminChange();
  const refusal = useChangeRefusal();
  const open = useMutation({
    mutationFn: async (page: Window | null) => {
      try {
        const path = `/accounts/${id}/portal-sessions`;
        const { url } = await change<OpenedPortalSession>('POST', path, {
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
  const change = useAdminChange();
  return (
    <FormButton
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
      onSubmit={(body) => change('POST', `/accounts/${id}/test-clock`, body)}
    />
  );
}
