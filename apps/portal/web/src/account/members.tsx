import { Button, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type { Member } from '#rest/members/member.schemas.js';
import { formFaults } from '../rest/problem.js';
import type { Change } from '../rest/use-change.js';
import { ConfirmButton } from '../ui/confirm-button.js';
import { FormFaultsNotice } from '../ui/form-faults.js';
import form from '../ui/form.module.css';
import { Moment } from '../ui/moment.js';
import { Empty } from '../ui/notice.js';
import { SortedTable, type SortedColumn } from '../ui/sorted-table.js';
import css from './members.module.css';

const ROLES = [
  { value: 'viewer', label: 'viewer: looks' },
  { value: 'manager', label: 'manager: changes' },
];

interface MembersProps {
  readonly members: readonly Member[];
  /** Where they are, behind the prefix of the REST. */
  readonly path: string;
  /** Null: whoever looks may change nothing. */
  readonly change: Change | null;
}

export const NO_MEMBERS = (
  <Empty title="No members yet">
    Members sign in by themselves, known by their e-mail address.
  </Empty>
);

/** People who may sign in to the account by themselves. */
export function MemberTable({ members, path, change }: MembersProps) {
  return (
    <SortedTable label="Members" columns={COLUMNS} rows={members}>
      {(member) => <MemberRow key={member.id} member={member} path={path} change={change} />}
    </SortedTable>
  );
}

const COLUMNS: readonly SortedColumn<Member>[] = [
  { name: 'email', label: 'E-mail', value: ({ email }) => email },
  { name: 'role', label: 'Role', value: ({ role }) => role },
  { name: 'added_at', label: 'Added', value: ({ added_at: at }) => at },
  { name: 'signed_in_at', label: 'Signed in', value: ({ signed_in_at: at }) => at },
  { name: '', label: 'Actions' },
];

interface MemberRowProps extends Omit<MembersProps, 'members'> {
  readonly member: Member;
}

function MemberRow({ member, path, change }: MemberRowProps) {
  const { id, email, role, added_at: added, signed_in_at: signedIn } = member;
  return (
    <tr>
      <td>{email}</td>
      <td>{role}</td>
      <td>
        <Moment at={added} />
      </td>
      <td>{signedIn === null ? 'not yet' : <Moment at={signedIn} />}</td>
      <td>
        {change !== null && (
          <ConfirmButton
            label="Remove"
            title={`Remove ${email}?`}
            confirm="Remove"
            onConfirm={(reason) =>
              change('DELETE', `${path}/${id}`, { ...(reason !== undefined && { reason }) })
            }
          >
            Whoever it is is signed out at once. You can add the address again.
          </ConfirmButton>
        )}
      </td>
    </tr>
  );
}

/** Adds a person by the e-mail address. */
export function NewMember({ path, change }: { readonly path: string; readonly change: Change }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('viewer');
  const add = useMutation({
    mutationFn: () => change('POST', path, { email: email.trim(), role }),
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
