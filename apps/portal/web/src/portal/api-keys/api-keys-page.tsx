import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiKeyTable } from '../../account/api-key-table.js';
import { Icon } from '../../ui/icon.js';
import { Loaded } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { SecretModal } from '../../ui/secret-modal.js';
import { useCanManage } from '../session.js';
import { ApiKeyActions } from './api-key-actions.js';
import { NewApiKey } from './new-api-key.js';
import type { ApiKey, IssuedApiKey } from '../../rest/answers.js';
import { portal } from '../../rest/portal.js';
import { all } from '../../rest/reads.js';

const ORDER: Readonly<Record<ApiKey['status'], number>> = { active: 0, expired: 1, revoked: 2 };

/** API keys of the account, with their scopes and last use. */
export function ApiKeysPage() {
  const keys = useQuery(all(portal.listApiKeys()));
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
              <ApiKeyTable
                keys={items.toSorted((one, other) => ORDER[one.status] - ORDER[other.status])}
                actionsOf={
                  canManage ? (key) => <ApiKeyActions apiKey={key} onIssued={setIssued} /> : null
                }
              />
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
