import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MemberTable, NewMember, NO_MEMBERS } from '../../account/members.js';
import type { OwnSession } from '../../rest/answers.js';
import { membersQuery, PORTAL, sessionsQuery } from '../../rest/queries.js';
import { change } from '../../rest/request.js';
import { useChange } from '../../rest/use-change.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { Page, Panel } from '../../ui/page.js';
import { Pill, type Tone } from '../../ui/pill.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { useCanManage } from '../session.js';

const TONES: Readonly<Record<OwnSession['status'], Tone>> = {
  unused: 'info',
  active: 'good',
  expired: 'plain',
  revoked: 'warn',
};

/** Who is signed in to the account, and the way to end it. */
export function SessionsPage() {
  const sessions = useQuery(sessionsQuery);
  return (
    <Page
      title="Signed in"
      lead="Who is signed in to these pages, by a link or as a member of the account. A session ends by itself after 8 hours, or after 30 minutes without use."
    >
      <Panel flush>
        <Loaded of={sessions}>
          {(items) => (
            <SortedTable label="Sessions" columns={COLUMNS} rows={items.toReversed()}>
              {(session) => <SessionRow key={session.id} session={session} />}
            </SortedTable>
          )}
        </Loaded>
      </Panel>
      <MembersPanel />
    </Page>
  );
}

const COLUMNS: readonly SortedColumn<OwnSession>[] = [
  { name: 'who', label: 'Who', value: ({ member }) => member },
  { name: 'role', label: 'Role', value: ({ role }) => role },
  { name: 'status', label: 'State', value: ({ status }) => status },
  { name: 'redeemed_at', label: 'Signed in', value: ({ redeemed_at: at }) => at },
  { name: 'used_at', label: 'Last used', value: ({ used_at: at }) => at },
  { name: 'ends_at', label: 'Ends', value: endOf },
  { name: '', label: 'Actions' },
];

function endOf(session: OwnSession): string {
  return session.revoked_at ?? session.expires_at ?? session.link_expires_at;
}

function MembersPanel() {
  const members = useQuery(membersQuery);
  const canManage = useCanManage();
  const change = useChange(PORTAL, 'members', 'sessions');
  return (
    <Panel flush title="Members">
      <Loaded of={members}>
        {(items) =>
          items.length === 0 ? (
            NO_MEMBERS
          ) : (
            <MemberTable members={items} path="/members" change={canManage ? change : null} />
          )
        }
      </Loaded>
      {canManage && <NewMember path="/members" change={change} />}
    </Panel>
  );
}

function SessionRow({ session }: { readonly session: OwnSession }) {
  const { id, role, status, current, redeemed_at: redeemed, used_at: used } = session;
  const client = useQueryClient();
  const canManage = useCanManage();
  const end = async (reason: string | undefined) => {
    await change('DELETE', `${PORTAL}/sessions/${id}`, { ...(reason && { reason }) });
    await client.invalidateQueries({ queryKey: [current ? 'session' : 'sessions'] });
  };
  const isOpen = status === 'active' || status === 'unused';
  return (
    <tr>
      <td>{session.member ?? 'with a link'}</td>
      <td>{role}</td>
      <td>
        <Pill tone={TONES[status]}>{status}</Pill> {current && <Pill tone="info">this one</Pill>}
      </td>
      <td>{redeemed === null ? 'not yet' : <Moment at={redeemed} />}</td>
      <td>{used === null ? '–' : <Moment at={used} />}</td>
      <td>
        <Moment at={endOf(session)} />
      </td>
      <td>
        {isOpen && (canManage || current) && (
          <ConfirmButton
            label="End it"
            title={current ? 'End your own session?' : 'End this session?'}
            confirm="End it"
            onConfirm={end}
          >
            {current ? 'You are signed out at once.' : 'Whoever uses it is signed out at once.'}
          </ConfirmButton>
        )}
      </td>
    </tr>
  );
}
