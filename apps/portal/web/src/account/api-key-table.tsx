import type { ReactNode } from 'react';
import type { ApiKey } from '../rest/answers.js';
import { Moment } from '../ui/moment.js';
import { Pill, type Tone } from '../ui/pill.js';
import { Heads, Table, mainCell } from '../ui/table.js';
import css from './account.module.css';

interface ApiKeyTableProps {
  readonly keys: readonly ApiKey[];
  /** Actions for an active key; null: the viewer may not act. */
  readonly actions: ((key: ApiKey) => ReactNode) | null;
}

const HEADS = ['Label', 'Key', 'State', 'May', 'Last used', 'Expires'];

/** Who holds what, and when it was used last. */
export function ApiKeyTable({ keys, actions }: ApiKeyTableProps) {
  const heads = actions === null ? HEADS : [...HEADS, '!Actions'];
  return (
    <Table label="API keys" head={<Heads of={heads} />}>
      {keys.map((key) => (
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
