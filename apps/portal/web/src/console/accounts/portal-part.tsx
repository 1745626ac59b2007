import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type MemberChanges, MembersPanel, NO_MEMBERS } from '../../account/members.js';
import { Paged } from '../../ui/paged.js';
import { type Tone } from '../../ui/pill.js';
import { SecretModal } from '../../ui/secret-modal.js';
import { ActButton } from '../../form/act-button.js';
import type { Field } from '../../form/fields.js';
import { useChangeRefusal } from '../../form/change-refusal.js';
import { admin } from '../admin.js';
import type { Account, NewPortalSession, PortalSession } from '../../rest/answers.js';
import { pages } from '../../rest/reads.js';
import { useChange } from '../../rest/use-change.js';
import { type Columns } from '../../ui/data-table.js';
import { ListPanel } from '../../ui/list-panel.js';
import { actions, moment, pill, text } from '../../ui/columns.js';
import { ChangeButton } from '../../form/change-button.js';

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
      <AccountMembers id={id} />
    </>
  );
}

function AccountMembers({ id }: { readonly id: string }) {
  const members = useInfiniteQuery(pages(admin.listMembers({ account_id: id })));
  const changes: MemberChanges = {
    add: () => admin.addMember({ account_id: id }),
    remove: (memberId) => admin.removeMember({ account_id: id, member_id: memberId }),
  };
  const change = useChange();
  const refusal = useChangeRefusal();
  return (
    <MembersPanel
      changes={changes}
      change={refusal === undefined ? change : null}
      list={(table) => (
        <Paged of={members} empty={NO_MEMBERS}>
          {table}
        </Paged>
      )}
    />
  );
}

function SessionsPanel({ id }: { readonly id: string }) {
  const [opened, setOpened] = useState<NewPortalSession | null>(null);
  const add = (
    <ChangeButton
      label="New link"
      title="A link to the customer’s portal"
      size="compact-sm"
      variant="filled"
      fields={LINK}
      initial={{ role: 'manager' }}
      submit="Make the link"
      of={admin.openPortalSession({ account_id: id })}
      onAnswer={setOpened}
    />
  );
  return (
    <>
      <ListPanel
        title="Links and sessions"
        aside={add}
        of={admin.listPortalSessions({ account_id: id })}
        columns={columnsOf(id)}
        empty={['No links yet', 'Each one opens the portal once.']}
      />
      <SecretModal
        title="Link to the portal"
        what="link"
        secret={opened?.url ?? null}
        onClose={() => setOpened(null)}
      >
        No mail was sent. Send this link to the customer yourself: it signs in once, whoever opens
        it.
      </SecretModal>
    </>
  );
}

/** The end of a session, or of the link that nobody has opened. */
function endOf({ revoked_at: revoked, expires_at: ends, ...session }: PortalSession): string {
  return revoked ?? ends ?? session.link_expires_at;
}

const TONES: Readonly<Record<PortalSession['status'], Tone>> = {
  unused: 'info',
  active: 'good',
  expired: 'plain',
  revoked: 'warn',
};

function columnsOf(accountId: string): Columns<PortalSession> {
  return [
    moment('Made', (session) => session.opened_at),
    text('Who', ({ member }) => member, 'with a link'),
    text('Role', ({ role }) => role),
    pill('State', ({ status }) => status, TONES),
    moment('Opened', (session) => session.redeemed_at, 'not yet'),
    moment('Last used', (session) => session.used_at),
    moment('Ends', endOf),
    actions(
      ({ id, status, member }) =>
        (status === 'active' || status === 'unused') && (
          <ActButton
            label="End it"
            title="End this session?"
            confirm="End it"
            of={admin.revokePortalSession({ account_id: accountId, session_id: id })}
          >
            {member ?? 'Whoever opened the link'} is signed out within a second.
          </ActButton>
        ),
    ),
  ];
}
