import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type MemberChanges, MembersPanel, NO_MEMBERS } from '../../account/members.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { Loaded } from '../../ui/loaded.js';
import { Page, Panel } from '../../ui/page.js';
import { Pill, type Tone } from '../../ui/pill.js';
import { useCanManage, useSession } from '../session.js';
import type { OwnSession } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { all } from '../../rest/reads.js';
import { send } from '../../rest/request.js';
import { useChange } from '../../rest/use-change.js';
import { actions, moment, text } from '../../ui/columns.js';
import { DataTable, type Columns } from '../../ui/data-table.js';

const TONES: Readonly<Record<OwnSession['status'], Tone>> = {
  unused: 'info',
  active: 'good',
  expired: 'plain',
  revoked: 'warn',
};

const MEMBERS: MemberChanges = {
  add: portal.addMember,
  remove: (id) => portal.removeMember({ member_id: id }),
};

/** Who is signed in to the account, and the way to end it. */
export function SessionsPage() {
  const sessions = useQuery(all(portal.listPortalSessions()));
  return (
    <Page
      title="Team"
      lead="Who is signed in, and who may sign in. A session ends after 8 hours, or after 30 minutes without use."
    >
      <Panel flush>
        <Loaded of={sessions}>
          {(items) => <DataTable label="Sessions" columns={COLUMNS} rows={items.toReversed()} />}
        </Loaded>
      </Panel>
      <OwnMembers key={useSession().account.id} />
    </Page>
  );
}

const COLUMNS: Columns<OwnSession> = [
  text('Who', ({ member }) => member, 'with a link'),
  text('Role', ({ role }) => role),
  {
    label: 'State',
    sort: ({ status }) => status,
    cell: ({ status, current }) => (
      <>
        <Pill tone={TONES[status]}>{status}</Pill> {current && <Pill tone="info">this one</Pill>}
      </>
    ),
  },
  moment('Sign-in', (session) => session.redeemed_at, 'not yet'),
  moment('Last used', (session) => session.used_at),
  moment('Ends', endOf),
  actions((session) => <EndButton session={session} />),
];

function endOf(session: OwnSession): string {
  return session.revoked_at ?? session.expires_at ?? session.link_expires_at;
}

function OwnMembers() {
  const members = useQuery(all(portal.listMembers()));
  const canManage = useCanManage();
  const change = useChange('members', 'sessions');
  return (
    <MembersPanel
      changes={MEMBERS}
      change={canManage ? change : null}
      list={(table) => (
        <Loaded of={members}>{(items) => (items.length === 0 ? NO_MEMBERS : table(items))}</Loaded>
      )}
    />
  );
}

function EndButton({ session }: { readonly session: OwnSession }) {
  const { id, status, current, member } = session;
  const client = useQueryClient();
  const canManage = useCanManage();
  const end = async (reason: string | undefined) => {
    await send(portal.revokePortalSession({ session_id: id }), { ...(reason && { reason }) });
    await client.invalidateQueries({ queryKey: [current ? 'session' : 'sessions'] });
  };
  const isOpen = status === 'active' || status === 'unused';
  if (!isOpen || !(canManage || current)) return null;
  return (
    <ConfirmButton
      label="End it"
      title={current ? 'End your own session?' : 'End this session?'}
      confirm="End it"
      onConfirm={end}
    >
      {current
        ? 'You are signed out immediately.'
        : `${member ?? 'Whoever opened the link'} is signed out immediately.`}
    </ConfirmButton>
  );
}
