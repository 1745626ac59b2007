import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiKeyTable } from '../../account/api-key-table.js';
import { Empty } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { SecretModal } from '../../ui/secret-modal.js';
import { ActButton } from '../../form/act-button.js';
import { API_KEY } from './account-fields.js';
import { admin } from '../admin.js';
import type { Account, ApiKey, IssuedApiKey } from '../../rest/answers.js';
import { pages } from '../../rest/reads.js';
import { ChangeButton } from '../../form/change-button.js';

/** API keys of an account. */
export function ApiKeysPart({ account }: { readonly account: Account }) {
  const keys = useInfiniteQuery(pages(admin.listApiKeys({ account_id: account.id })));
  const [issued, setIssued] = useState<IssuedApiKey | null>(null);
  const add = account.status !== 'closed' && (
    <ChangeButton
      label="New key"
      title="New API key"
      size="compact-sm"
      variant="filled"
      fields={API_KEY}
      initial={{ scopes: ['data', 'account:read'] }}
      submit="Make the key"
      of={admin.issueApiKey({ account_id: account.id })}
      onAnswer={setIssued}
    />
  );
  return (
    <Panel flush title="API keys" aside={add}>
      <Paged of={keys} empty={<Empty title="No keys yet">Make one, or let the customer.</Empty>}>
        {(items) => (
          <ApiKeyTable
            keys={items}
            actionsOf={(key) => <RevokeButton apiKey={key} accountId={account.id} />}
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
      of={admin.revokeApiKey({ account_id: accountId, key_id: apiKey.id })}
    >
      Calls with this key are refused from the next one on. It cannot be brought back.
    </ActButton>
  );
}
