import { Button, Group, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { formatMoment } from '../format/moments.js';
import type { AddedMember, AddMember, Member, Reason } from '../rest/answers.js';
import type { Command } from '#client/operations.js';
import { formFaults } from '../rest/problem.js';
import { ConfirmButton } from '../ui/confirm-button.js';
import { FormFaultsNotice } from '../ui/form-faults.js';
import form from '../ui/form.module.css';
import { Empty, Notice } from '../ui/notice.js';
import { Panel } from '../ui/page.js';
import { SecretModal } from '../ui/secret-modal.js';
import css from './members.module.css';
import type { Change } from '../rest/use-change.js';
import { actions, moment, text } from '../ui/columns.js';
import { CopyText } from '../ui/copy-text.js';
import { DataTable, type Columns } from '../ui/data-table.js';
import { useZones } from '../ui/zones.js';

const ROLES = [
  { value: 'viewer', label: 'viewer: looks' },
  { value: 'manager', label: 'manager: changes' },
];

/** Members of the account of a portal, or of one in the console. */
export interface MemberChanges {
  readonly add: () => Command<AddedMember, AddMember>;
  readonly remove: (memberId: string) => Command<undefined, Reason | undefined>;
}

interface MembersPanelProps {
  readonly changes: MemberChanges;
  /** Null: whoever looks may change nothing. */
  readonly change: Change | null;
  /** Shows the members once they are read. */
  readonly list: (table: (members: readonly Member[]) => ReactNode) => ReactNode;
}

export const NO_MEMBERS = (
  <Empty title="No members yet">
    Invite people by their e-mail address. Each one signs in alone, as a viewer or a manager.
  </Empty>
);

/** People who may sign in to the account by themselves, and the way to invite more. */
export function MembersPanel({ changes, change, list }: MembersPanelProps) {
  const [added, setAdded] = useState<AddedMember | null>(null);
  const invite = change && (async (body: AddMember) => setAdded(await change(changes.add(), body)));
  return (
    <Panel flush title="Members">
      {list((members) => (
        <DataTable label="Members" columns={columnsOf(changes, change, invite)} rows={members} />
      ))}
      {invite !== null && <NewMember onInvite={invite} />}
      {added !== null && <InvitationMade of={added} onClose={() => setAdded(null)} />}
    </Panel>
  );
}

type Invite = (body: AddMember) => Promise<void>;

function columnsOf(
  changes: MemberChanges,
  change: Change | null,
  invite: Invite | null,
): Columns<Member> {
  return [
    text('E-mail', ({ email }) => email),
    text('Role', ({ role }) => role),
    moment('Invited', (member) => member.added_at),
    moment('Last sign-in', (member) => member.signed_in_at, 'not yet'),
    actions(
      ({ id, email, role, signed_in_at: signedIn }) =>
        change !== null &&
        invite !== null && (
          <Group gap="xs" wrap="nowrap" justify="flex-end">
            {signedIn === null && (
              <ConfirmButton
                label="Invite again"
                title={`Invite ${email} again?`}
                confirm="Invite again"
                withReason={false}
                onConfirm={() => invite({ email, role })}
              >
                A new invitation is made. The one before stops working.
              </ConfirmButton>
            )}
            <ConfirmButton
              label="Remove"
              title={`Remove ${email}?`}
              confirm="Remove"
              onConfirm={(reason) =>
                change(changes.remove(id), { ...(reason !== undefined && { reason }) })
              }
            >
              {email} is signed out immediately and loses access. You can invite the address again.
            </ConfirmButton>
          </Group>
        ),
    ),
  ];
}

/** Invites a person by the e-mail address. */
function NewMember({ onInvite }: { readonly onInvite: Invite }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<AddMember['role']>('viewer');
  const add = useMutation({
    mutationFn: () => onInvite({ email: email.trim(), role }),
    onSuccess: () => setEmail(''),
  });
  const faults = formFaults(add.error, ['email', 'role']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form className={`${form.form} ${css.form}`} noValidate onSubmit={submit}>
      <div className={css.fields}>
        <TextInput
          label="E-mail address of a new member"
          type="email"
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={faults.fields.email}
        />
        <Select
          label="Role"
          data={ROLES}
          value={role}
          allowDeselect={false}
          onChange={(value) => setRole(value === 'manager' ? value : 'viewer')}
          error={faults.fields.role}
        />
        <Button type="submit" variant="default" loading={add.isPending}>
          Invite
        </Button>
      </div>
      <FormFaultsNotice faults={faults} />
    </form>
  );
}

interface InvitationMadeProps {
  readonly of: AddedMember;
  /** Absent: it stands on the page, not in a dialog. */
  readonly onClose?: () => void;
}

/** Result of an invitation: it was mailed, or there is a link to pass on. */
export function InvitationMade({ of: { email, invitation }, onClose }: InvitationMadeProps) {
  const { shown } = useZones();
  const { way, url, expires_at: expiresAt } = invitation;
  if (url !== undefined) {
    const until = formatMoment(expiresAt ?? '', shown);
    const instruction = `No mail was sent: this service has no mail server. Send this link to ${email} yourself. It signs in once, until ${until}.`;
    if (onClose === undefined) {
      return (
        <div className={form.form}>
          <p>{instruction}</p>
          <CopyText value={url} what="link" />
        </div>
      );
    }
    return (
      <SecretModal title={`Invitation for ${email}`} what="link" secret={url} onClose={onClose}>
        {instruction}
      </SecretModal>
    );
  }
  return (
    <div className={css.form}>
      {way === 'mail' ? (
        <Notice tone="good" title="Invitation sent">
          A mail with a link is on its way to {email}. The link signs in once, for 7 days.
        </Notice>
      ) : (
        <Notice tone="warn" title="No mail was sent">
          {WHY_NO_MAIL[way](email)}
        </Notice>
      )}
    </div>
  );
}

const WHY_NO_MAIL: Readonly<
  Record<'company-account' | 'none' | 'link', (email: string) => string>
> = {
  'company-account': (email) =>
    `This service has no mail server. ${email} signs in on the portal with the company account.`,
  none: (email) =>
    `${email} has signed in before, or got 3 mails in 15 minutes. The sign-in page mails a link on request.`,
  link: (email) =>
    `The link for ${email} was shown before. Invite the address again for a new one.`,
};
