import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey, IssuedApiKey } from '../../rest/answers.js';
import { apiKeysQuery } from '../../rest/queries.js';
import { Icon } from '../../ui/icon.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { Pill, type Tone } from '../../ui/pill.js';
import { SecretModal } from '../../ui/secret-modal.js';
import { Table, mainCell } from '../../ui/table.js';
import { useCanManage } from '../session.js';
import { ApiKeyActions } from './api-key-actions.js';
import { NewApiKey } from './new-api-key.js';

const ORDER: Readonly<Record<ApiKey['status'], number>> = { active: 0, expired: 1, revoked: 2 };

/** What opens the API: who holds what, and when it was used last. */
export function ApiKeysPage() {
  const keys = useQuery(apiKeysQuery);
  const canManage = useCanManage();
  const [isNew, setIsNew] = useState(false);
  const [issued, setIssued] = useState<IssuedApiKey | null>(null);
  return (
    <Page
      title="API keys"
      lead="A key opens the API as this account. Only its fingerprint is kept: it is shown once."
      actions={
        canManage && (
          <Button leftSection={<Icon name="plus" />} onClick={() => setIsNew(true)}>
            New key
          </Button>
        )
      }
    >
      <Panel flush>
        <Loaded of={keys}>
          {(items) =>
            items.length === 0 ? (
              <Empty title="No keys yet">{canManage && 'Make one to call the API.'}</Empty>
            ) : (
              <Table label="API keys" head={<Columns />}>
                {items
                  .toSorted((one, other) => ORDER[one.status] - ORDER[other.status])
                  .map((key) => (
                    <KeyRow key={key.id} apiKey={key} onIssued={setIssued} />
                  ))}
              </Table>
            )
          }
        </Loaded>
      </Panel>
      {isNew && <NewApiKey onClose={() => setIsNew(false)} onIssued={setIssued} />}
      <SecretModal
        title={`API key “${issued?.label ?? ''}”`}
        what="API key"
        secret={issued?.key ?? null}
        onClose={() => setIssued(null)}
      />
    </Page>
  );
}

function Columns() {
  const canManage = useCanManage();
  return (
    <tr>
      <th scope="col">Label</th>
      <th scope="col">Key</th>
      <th scope="col">State</th>
      <th scope="col">May</th>
      <th scope="col">Made</th>
      <th scope="col">Last used</th>
      <th scope="col">Expires</th>
      {canManage && (
        <th scope="col">
          <span className="visually-hidden">Actions</span>
        </th>
      )}
    </tr>
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

interface KeyRowProps {
  readonly apiKey: ApiKey;
  readonly onIssued: (issued: IssuedApiKey) => void;
}

function KeyRow({ apiKey, onIssued }: KeyRowProps) {
  const canManage = useCanManage();
  const { label, prefix, last_four: lastFour, status, scopes } = apiKey;
  return (
    <tr>
      <td className={mainCell}>{label ?? 'erased'}</td>
      <td>
        <code>
          {prefix}…{lastFour}
        </code>
      </td>
      <td>
        <Pill tone={TONES[status]}>{status}</Pill>
      </td>
      <td>{scopes.map((scope) => SCOPE_NAMES[scope] ?? scope).join(', ')}</td>
      <td>
        <Moment at={apiKey.issued_at} dateOnly />
      </td>
      <td>{apiKey.last_used_at === null ? 'not lately' : <Moment at={apiKey.last_used_at} />}</td>
      <td>{apiKey.expires_at === null ? 'never' : <Moment at={apiKey.expires_at} />}</td>
      {canManage && (
        <td>{status === 'active' && <ApiKeyActions apiKey={apiKey} onIssued={onIssued} />}</td>
      )}
    </tr>
  );
}
