import type { ReactNode } from 'react';
import { Moment } from '../ui/moment.js';
import { type Tone } from '../ui/pill.js';
import css from './account.module.css';
import type { ApiKey } from '../rest/answers.js';
import { actions, moment, pill, text } from '../ui/columns.js';
import { DataTable, type Columns } from '../ui/data-table.js';

interface ApiKeyTableProps {
  readonly keys: readonly ApiKey[];
  /** Actions for an active key; null: the viewer may not act. */
  readonly actionsOf: ((key: ApiKey) => ReactNode) | null;
}

/** Who holds what, and when it was used last. */
export function ApiKeyTable({ keys, actionsOf }: ApiKeyTableProps) {
  const ofKey = actionsOf && actions<ApiKey>((key) => key.status === 'active' && actionsOf(key));
  return <DataTable label="API keys" columns={ofKey ? [...COLUMNS, ofKey] : COLUMNS} rows={keys} />;
}

const TONES: Readonly<Record<ApiKey['status'], Tone>> = {
  active: 'good',
  expired: 'warn',
  revoked: 'plain',
};

const SCOPE_NAMES: Readonly<Record<string, string>> = {
  data: 'pull data',
  'account:read': 'read the account',
  'account:write': 'change the account',
};

const COLUMNS: Columns<ApiKey> = [
  {
    label: 'Label',
    kind: 'main',
    sort: ({ label }) => label,
    cell: ({ label, issued_at: at }) => (
      <>
        {label ?? 'erased'}
        <div className={css.made}>
          made <Moment at={at} dateOnly />
        </div>
      </>
    ),
  },
  {
    label: 'Key',
    sort: (key) => key.last_four,
    cell: ({ prefix, last_four: lastFour }) => (
      <code>
        {prefix}…{lastFour}
      </code>
    ),
  },
  pill('State', ({ status }) => status, TONES),
  text('May', ({ scopes }) => scopes.map((scope) => SCOPE_NAMES[scope] ?? scope).join(', ')),
  moment('Last used', (key) => key.last_used_at, 'never'),
  moment('Expires', (key) => key.expires_at, 'never'),
];
