import { Button, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type { AddMember, Member, Reason } from '../rest/answers.js';
import type { Command } from '#client/operations.js';
import { formFaults } from '../rest/problem.js';
import { ConfirmButton } from '../ui/confirm-button.js';
import { FormFaultsNotice } from '../ui/form-faults.js';
import form from '../ui/form.module.css';
import { Empty } from '../ui/notice.js';
import css from './members.module.css';
import type { Change } from '../rest/use-change.js';
import { actions, moment, text } from '../ui/columns.js';
import { DataTable, type Columns } from '../ui/data-table.js';

const ROLES = [
  { value: 'viewer', label: 'viewer: looks' },
  { value: 'manager', label: 'manager: changes' },
];

/** Members of the account of a portal, or of one in the console. */
export interface MemberChanges {
  readonly add: () => Command<Member, AddMember>;
  readonly remove: (memberId: string) => Command<undefined, Reason | undefined>;
}

interface MembersProps {
  readonly members: readonly Member[];
  readonly changes: MemberChanges;
  /** Null: whoever looks may change nothing. */
  readonly change: Change | null;
}

export const NO_MEMBERS = (
  <Empty title="No members yet">
    Members sign in by themselves, known by their e-mail address.
  </Empty>
);

/** People who may sign in to the account by themselves. */
export function MemberTable({ members, changes, change }: MembersProps) {
  const columns: Columns<Member> = [
    text('E-mail', ({ email }) => email),
    text('Role', ({ role }) => role),
    moment('Added', (member) => member.added_at),
    moment('Signed in', (member) => member.signed_in_at, 'not yet'),
    actions(
      ({ id, email }) =>
        change !== null && (
          <ConfirmButton
            label="Remove"
            title={`Remove ${email}?`}
            confirm="Remove"
            onConfirm={(reason) =>
              change(changes.remove(id), { ...(reason !== undefined && { reason }) })
            }
          >
            Whoever it is is signed out at once. You can add the address again.
          </ConfirmButton>
        ),
    ),
  ];
  return <DataTable label="Members" columns={columns} rows={members} />;
}

interface NewMemberProps {
  readonly changes: MemberChanges;
  readonly change: Change;
}

/** Adds a person by the e-mail address. */
export function NewMember({ changes, change }: NewMemberProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('viewer');
  const add = useMutation({
    mutationFn: () => change(changes.add(), { email: email.trim(), role }),
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
          onChange={(value) => setRole(value ?? 'viewer')}
          error={faults.fields.role}
        />
        <Button type="submit" variant="default" loading={add.isPending}>
          Add
        </Button>
      </div>
      <FormFaultsNotice faults={faults} />
    </form>
  );
}
