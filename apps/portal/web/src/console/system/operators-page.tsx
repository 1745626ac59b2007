import { useState } from 'react';
import { ActButton } from '../../form/act-button.js';
import { ChangeButton } from '../../form/change-button.js';
import type { Field } from '../../form/fields.js';
import type { AdminToken, NewAdminToken, Operator } from '../../rest/answers.js';
import { actions, main, moment, pill, text } from '../../ui/columns.js';
import type { Columns } from '../../ui/data-table.js';
import { ListPanel } from '../../ui/list-panel.js';
import { Moment } from '../../ui/moment.js';
import { Page } from '../../ui/page.js';
import { SecretModal } from '../../ui/secret-modal.js';
import { admin } from '../admin.js';
import css from '../../account/account.module.css';
import { useConsoleSession } from '../console-session.js';

const ROLES = [
  { value: 'support', label: 'support: reads everything' },
  { value: 'billing', label: 'billing: everything but tokens and releases' },
  { value: 'data', label: 'data: keeps releases' },
  { value: 'owner', label: 'owner: everything' },
];

const FIELDS: readonly Field[] = [
  { name: 'name', label: 'Name', description: 'Who or what uses it. The audit log shows it.' },
  { name: 'role', label: 'Role', kind: 'select', options: ROLES },
  { name: 'expires_at', label: 'Expires (optional)', kind: 'moment' },
];

const TOKENS: Columns<AdminToken> = [
  {
    label: 'Name',
    kind: 'main',
    sort: ({ name }) => name,
    cell: ({ name, issued_at: at }) => (
      <>
        {name ?? 'erased'}
        <div className={css.made}>
          issued <Moment at={at} dateOnly />
        </div>
      </>
    ),
  },
  text('Role', ({ role }) => role),
  {
    label: 'Token',
    sort: (token) => token.last_four,
    cell: ({ prefix, last_four: lastFour }) => (
      <code>
        {prefix}…{lastFour}
      </code>
    ),
  },
  pill('State', ({ status }) => status, { active: 'good', expired: 'warn', revoked: 'plain' }),
  moment('Last used', (token) => token.last_used_at, 'never'),
  moment('Expires', (token) => token.expires_at, 'never'),
];

const PEOPLE: Columns<Operator> = [
  main('Name', ({ name }) => name, 'erased'),
  text('E-mail', ({ email }) => email),
  text('Role', ({ role }) => role),
  moment('Signed in', (person) => person.signed_in_at),
];

/** Who may do what as an operator: admin tokens, and people with a company account. */
export function OperatorsPage() {
  const isOwner = useConsoleSession().role === 'owner';
  const [issued, setIssued] = useState<NewAdminToken | null>(null);
  const revoke = actions<AdminToken>(
    ({ id, name, status }) => status === 'active' && <Revoke id={id} name={name ?? 'erased'} />,
  );
  return (
    <Page
      title="Operators"
      lead={`Admin tokens and company accounts that open the console and the admin REST.${
        isOwner ? '' : ' An owner issues and revokes them.'
      }`}
      actions={
        isOwner && (
          <ChangeButton
            label="New token"
            title="New admin token"
            icon="plus"
            variant="filled"
            fields={FIELDS}
            initial={{ role: 'support' }}
            submit="Issue the token"
            of={admin.issueAdminToken()}
            onAnswer={setIssued}
          />
        )
      }
    >
      <ListPanel
        title="Admin tokens"
        of={admin.listAdminTokens()}
        columns={isOwner ? [...TOKENS, revoke] : TOKENS}
        empty={[
          'No tokens yet',
          'ADMIN_TOKEN of the service is not listed: give each person a token of their own.',
        ]}
      />
      <ListPanel
        title="People with a company account"
        of={admin.listOperators()}
        columns={isOwner ? [...PEOPLE, actions<Operator>(signOutOf)] : PEOPLE}
        empty={['Nobody has signed in with a company account']}
      />
      <SecretModal
        title={`Admin token “${issued?.name ?? ''}”`}
        what="token"
        secret={issued?.token ?? null}
        onClose={() => setIssued(null)}
      />
    </Page>
  );
}

function Revoke({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <ActButton
      label="Revoke"
      title={`Revoke the token “${name}”?`}
      confirm="Revoke it"
      irreversible
      of={admin.revokeAdminToken({ token_id: id })}
    >
      Whoever uses it is refused from now on, in every process. No credits and no money move.
    </ActButton>
  );
}

function signOutOf({ id, name }: Operator) {
  return (
    <ActButton
      label="Sign out"
      title={`Sign ${name ?? 'this person'} out everywhere?`}
      confirm="Sign out"
      of={admin.revokeOperatorSessions({ operator_id: id })}
    >
      They are signed out immediately. They can sign in again as long as the identity provider gives
      them a role: take it away there first.
    </ActButton>
  );
}
