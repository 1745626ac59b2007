import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { IssuedApiKey } from '../../rest/answers.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { Pill, type Tone } from '../../ui/pill.js';
import { SecretModal } from '../../ui/secret-modal.js';
import { Table, mainCell } from '../../ui/table.js';
import { ActButton } from '../form/act-button.js';
import { FormButton } from '../form/form-button.js';
import { Heads, Paged } from '../paged.js';
import type { ApiKey, OperatorAccount } from '../rest/admin-answers.js';
import { apiKeysQuery } from '../rest/admin-queries.js';
import { useAdminChange } from '../rest/use-admin-change.js';
import { API_KEY } from './account-fields.js';

/** What opens the API for this account. */
export function ApiKeysPart({ account }: { readonly account: OperatorAccount }) {
  const keys = useInfiniteQuery(apiKeysQuery(account.id));
  const change = useAdminChange();
  const [issued, setIssued] = useState<IssuedApiKey | null>(null);
  const add = account.status !== 'closed' && (
    <FormButton
      label="New key"
      title="New API key"
      size="compact-sm"
      variant="filled"
      fields={API_KEY}
      initial={{ scopes: ['data', 'account:read'] }}
      submit="Make the key"
      onSubmit={async (body) =>
        setIssued(await change<IssuedApiKey>('POST', `/accounts/${account.id}/api-keys`, body))
      }
    />
  );
  return (
    <Panel flush title="API keys" aside={add}>
      <Paged of={keys} empty={<Empty title="No keys yet">Make one, or let the customer.</Empty>}>
        {(items) => (
          <Table label="API keys" head={COLUMNS}>
            {items.map((key) => (
              <KeyRow key={key.id} apiKey={key} accountId={account.id} />
            ))}
          </Table>
        )}
      </Paged>
      <SecretModal
        title={`API key “${issued?.label ?? ''}”`}
        what="API key"
        secret={issued?.key ?? null}
        onClose={() => setIssued(null)}
      />
    </Panel>
  );
}

const COLUMNS = (
  <Heads of={['Label', 'Key', 'State', 'May', 'Made', 'Last used', 'Expires', '!Actions']} />
);

const TONES: Readonly<Record<ApiKey['status'], Tone>> = {
  active: 'good',
  expired: 'warn',
  revoked: 'plain',
};

interface KeyRowProps {
  readonly apiKey: ApiKey;
  readonly accountId: string;
}

function KeyRow({ apiKey, accountId }: KeyRowProps) {
  const { id, label, prefix, last_four: lastFour, status, scopes } = apiKey;
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
      <td>{scopes.join(', ')}</td>
      <td>
        <Moment at={apiKey.issued_at} dateOnly />
      </td>
      <td>{apiKey.last_used_at === null ? 'not lately' : <Moment at={apiKey.last_used_at} />}</td>
      <td>{apiKey.expires_at === null ? 'never' : <Moment at={apiKey.expires_at} />}</td>
      <td>
        {status === 'active' && (
          <ActButton
            label="Revoke"
            title={`Revoke “${label ?? lastFour}”?`}
            confirm="Revoke it"
            method="DELETE"
            path={`/accounts/${accountId}/api-keys/${id}`}
          >
            Calls with this key are refused from the next one on. It cannot be brought back.
          </ActButton>
        )}
      </td>
    </tr>
  );
}
