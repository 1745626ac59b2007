import { useState, type ReactNode } from 'react';
import type { ApiKey } from '../rest/answers.js';
import { Moment } from '../ui/moment.js';
import { Pill, type Tone } from '../ui/pill.js';
import { SortHeads, type SortColumn } from '../ui/sort-heads.js';
import { sorted } from '../ui/sorted.js';
import { Table, mainCell } from '../ui/table.js';
import css from './account.module.css';

interface ApiKeyTableProps {
  readonly keys: readonly ApiKey[];
  /** Actions for an active key; null: the viewer may not act. */
  readonly actions: ((key: ApiKey) => ReactNode) | null;
}

const COLUMNS: readonly SortColumn[] = [
  { name: 'label', label: 'Label' },
  { name: 'last_four', label: 'Key' },
  { name: 'status', label: 'State' },
  { name: 'scopes', label: 'May' },
  { name: 'last_used_at', label: 'Last used' },
  { name: 'expires_at', label: 'Expires' },
];
const ACTIONS: SortColumn = { name: '', label: 'Actions' };

function valueOf(key: ApiKey, name: string): string | null {
  if (name === 'scopes') return key.scopes.join();
  return key[name as 'label' | 'last_four' | 'status' | 'last_used_at' | 'expires_at'];
}

/** Who holds what, and when it was used last. */
export function ApiKeyTable({ keys, actions }: ApiKeyTableProps) {
  const [sort, setSort] = useState('');
  const columns = actions === null ? COLUMNS : [...COLUMNS, ACTIONS];
  return (
    <Table label="API keys" head={<SortHeads columns={columns} sort={sort} onSort={setSort} />}>
      {sorted(keys, sort, valueOf).map((key) => (
        <tr key={key.id}>
          <KeyCells apiKey={key} />
          {actions !== null && <td>{key.status === 'active' && actions(key)}</td>}
        </tr>
      ))}
    </Table>
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
