import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MemberTable, NewMember, NO_MEMBERS } from '../../account/members.js';
import type { Account } from '../../rest/answers.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { Pill, type Tone } from '../../ui/pill.js';
import { SecretModal } from '../../ui/secret-modal.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { ActButton } from '../form/act-button.js';
import type { Field } from '../../form/fields.js';
import { FormButton } from '../form/form-button.js';
import type { OpenedPortalSession, PortalSession } from '../rest/admin-answers.js';
import { membersQuery, portalSessionsQuery } from '../rest/admin-queries.js';
import { useChangeRefusal } from '../console-session.js';
import { useAdminChange } from '../rest/use-admin-change.js';

const LINK: readonly Field[] = [
  {
    name: 'role',
    label: 'Role',
    kind: 'select',
    options: [
      { value: 'viewer', label: 'viewer: looks' },
      { value: 'manager', label: 'manager: changes budgets, keys and webhooks, and pulls' },
    ],
  },
  {
    name: 'expires_in',
    label: 'Works for (seconds)',
    kind: 'number',
    placeholder: '900',
    description: 'The session that it opens lasts 8 hours, or until nobody uses it for 30 minutes.',
  },
  { name: 'reason', label: 'Reason (optional)' },
];

/** Links to the customer’s portal, who is signed in, and its members. */
export function PortalPart({ account: { id } }: { readonly account: Account }) {
  return (
    <>
      <SessionsPanel id={id} />
      <MembersPanel id={id} />
    </>
  );
}

function MembersPanel({ id }: { readonly id: string }) {
  const members = useInfiniteQuery(membersQuery(id));
  const path = `/accounts/${id}/members`;
  const change = useAdminChange();
  const refusal = useChangeRefusal();
  return (
    <Panel flush title="Members">
      <Paged of={members} empty={NO_MEMBERS}>
        {(items) => (
          <MemberTable members={items} path={path} change={refusal === undefined ? change : null} />
        )}
      </Paged>
      {refusal === undefined && <NewMember path={path} change={change} />}
    </Panel>
  );
}

function SessionsPanel({ id }: { readonly id: string }) {
  const sessions = useInfiniteQuery(portalSessionsQuery(id));
  const change = useAdminChange();
  const [opened, setOpened] = useState<OpenedPortalSession | null>(null);
  const add = (
    <FormButton
      label="New link"
      title="A link to the customer’s portal"
      size="compact-sm"
      variant="filled"
      fields={LINK}
      initial={{ role: 'manager' }}
      submit="Make the link"
      onSubmit={async (body) =>
        setOpened(
          await change<OpenedPortalSession>('POST', `/accounts/${id}/portal-sessions`, body),
        )
      }
    />
  );
  return (
    <Panel flush title="Links and sessions" aside={add}>
      <Paged
        of={sessions}
        empty={<Empty title="No links yet">Each one opens the portal once.</Empty>}
      >
        {(items) => (
          <SortedTable label="Links and sessions" columns={COLUMNS} rows={items}>
            {(session) => <SessionRow key={session.id} session={session} accountId={id} />}
          </SortedTable>
        )}
      </Paged>
      <SecretModal
        title="Link to the portal"
        what="link"
        secret={opened?.url ?? null}
        onClose={() => setOpened(null)}
      />
    </Panel>
  );
}

/** The end of a session, or of the link that nobody has opened. */
function endOf({ revoked_at: revoked, expires_at: ends, ...session }: PortalSession): string {
  return revoked ?? ends ?? session.link_expires_at;
}

const COLUMNS: readonly SortedColumn<PortalSession>[] = [
  { name: 'made', label: 'Made', value: (session) => session.opened_at },
  { name: 'who', label: 'Who', value: ({ member }) => member },
  { name: 'role', label: 'Role', value: ({ role }) => role },
  { name: 'state', label: 'State', value: ({ status }) => status },
  { name: 'opened', label: 'Opened', value: (session) => session.redeemed_at },
  { name: 'used', label: 'Last used', value: (session) => session.used_at },
  { name: 'ends', label: 'Ends', value: endOf },
  { name: '', label: 'Actions' },
];

const TONES: Readonly<Record<PortalSession['status'], Tone>> = {
  unused: 'info',
  active: 'good',
  expired: 'plain',
  revoked: 'warn',
};

interface SessionRowProps {
  readonly session: PortalSession;
  readonly accountId: string;
}

function SessionRow({ session, accountId }: SessionRowProps) {
  const { id, role, status, redeemed_at: redeemed, used_at: used } = session;
  return (
    <tr>
      <td>
        <Moment at={session.opened_at} />
      </td>
      <td>{session.member ?? 'with a link'}</td>
      <td>{role}</td>
      <td>
        <Pill tone={TONES[status]}>{status}</Pill>
      </td>
      <td>{redeemed === null ? 'not yet' : <Moment at={redeemed} />}</td>
      <td>{used === null ? '–' : <Moment at={used} />}</td>
      <td>
        <Moment at={endOf(session)} />
      </td>
      <td>
        {(status === 'active' || status === 'unused') && (
          <ActButton
            label="End it"
            title="End this session?"
            confirm="End it"
            method="DELETE"
            path={`/accounts/${accountId}/portal-sessions/${id}`}
          >
            Whoever is signed in with it is out within a second.
          </ActButton>
        )}
      </td>
    </tr>
  );
}
