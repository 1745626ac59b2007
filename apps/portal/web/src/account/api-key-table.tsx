import type { ReactNode } from 'react';
import type { ApiKey } from '../rest/answers.js';
import { Moment } from '../ui/moment.js';
import { Pill, type Tone } from '../ui/pill.js';
import { SortedTable, type SortedColumn } from '../ui/sorted-table.js';
import { mainCell } from '../ui/table.js';
import css from './account.module.css';

interface ApiKeyTableProps {
  readonly keys: readonly ApiKey[];
  /** Actions for an active key; null: the viewer may not act. */
  readonly actions: ((key: ApiKey) => ReactNode) | null;
}

const COLUMNS: readonly SortedColumn<ApiKey>[] = [
  { name: 'label', label: 'Label', value: (key) => key.label },
  { name: 'last_four', label: 'Key', value: (key) => key.last_four },
  { name: 'status', label: 'State', value: (key) => key.status },
  { name: 'scopes', label: 'May', value: (key) => key.scopes.join() },
  { name: 'last_used_at', label: 'Last used', value: (key) => key.last_used_at },
  { name: 'expires_at', label: 'Expires', value: (key) => key.expires_at },
];
const ACTIONS = { name: '', label: 'Actions' };

/** Who holds what, and when it was used last. */
export function ApiKeyTable({ keys, actions }: ApiKeyTableProps) {
  const columns = actions === null ? COLUMNS : [...COLUMNS, ACTIONS];
  return (
    <SortedTable label="API keys" columns={columns} rows={keys}>
      {(key) => (
        <tr key={key.id}>
          <KeyCells apiKey={key} />
          {actions !== null && <td>{key.status === 'active' && actions(key)}</td>}
        </tr>
      )}
    </SortedTable>
  );
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

function KeyCells({ apiKey }: { readonly apiKey: ApiKey }) {
  const { label, prefix, last_four: lastFour, status, scopes } = apiKey;
  return (
    <>
      <td className={mainCell}>
        {label ?? 'erased'}
        <div className={css.made}>
          made <Moment at={apiKey.issued_at} dateOnly />
        </div>
      </td>
      <td>
        <code>
          {prefix}…{lastFour}
        </code>
      </td>
      <td>
        <Pill tone={TONES[status]}>{status}</Pill>
      </td>
      <td>{scopes.map((scope) => SCOPE_NAMES[scope] ?? scope).join(', ')}</td>
      <td>{apiKey.last_used_at === null ? 'never' : <Moment at={apiKey.last_used_at} />}</td>
      <td>{apiKey.expires_at === null ? 'never' : <Moment at={apiKey.expires_at} />}</td>
    </>
  );
}
