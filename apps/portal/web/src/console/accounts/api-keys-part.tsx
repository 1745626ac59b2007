import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiKeyTable } from '../../account/api-key-table.js';
import type { Account, ApiKey, IssuedApiKey } from '../../rest/answers.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { SecretModal } from '../../ui/secret-modal.js';
import { ActButton } from '../form/act-button.js';
import { FormButton } from '../form/form-button.js';
import { apiKeysQuery } from '../rest/admin-queries.js';
import { useAdminChange } from '../rest/use-admin-change.js';
import { API_KEY } from './account-fields.js';

/** API keys of an account. */
export function ApiKeysPart({ account }: { readonly account: Account }) {
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
          <ApiKeyTable
            keys={items}
            actions={(key) => <RevokeButton apiKey={key} accountId={account.id} />}
          />
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

interface RevokeButtonProps {
  readonly apiKey: ApiKey;
  readonly accountId: string;
}

function RevokeButton({ apiKey, accountId }: RevokeButtonProps) {
  return (
    <ActButton
      label="Revoke"
      title={`Revoke “${apiKey.label ?? apiKey.last_four}”?`}
      confirm="Revoke it"
      irreversible
      method="DELETE"
      path={`/accounts/${accountId}/api-keys/${apiKey.id}`}
    >
      Calls with this key are refused from the next one on. It cannot be brought back.
    </ActButton>
  );
}
