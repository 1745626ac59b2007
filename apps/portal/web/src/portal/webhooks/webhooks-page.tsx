import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DeliveriesDrawer } from '../../account/deliveries.js';
import { WebhookRow } from '../../account/webhook-row.js';
import type { Webhook } from '../../rest/answers.js';
import { deliveriesQuery, PORTAL, webhooksQuery } from '../../rest/queries.js';
import { useChange } from '../../rest/use-change.js';
import { Icon } from '../../ui/icon.js';
import { Loaded } from '../../ui/loaded.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { SecretModal } from '../../ui/secret-modal.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { useCanManage } from '../session.js';
import { NewWebhook } from './new-webhook.js';

const COLUMNS: readonly SortedColumn<Webhook>[] = [
  { name: 'address', label: 'Address', value: ({ url }) => url },
  { name: 'events', label: 'Events', value: ({ events }) => events?.join() ?? 'everything' },
  { name: '', label: 'Actions' },
];

/** Webhooks of the account. */
export function WebhooksPage() {
  const webhooks = useQuery(webhooksQuery);
  const canManage = useCanManage();
  const change = useChange(PORTAL, 'webhooks', 'deliveries');
  const [isNew, setIsNew] = useState(false);
  const [made, setMade] = useState<Webhook | null>(null);
  const [opened, setOpened] = useState<Webhook | null>(null);
  return (
    <Page
      title="Webhooks"
      lead="Addresses that receive alerts and notifications of keys, invoices and closed windows, as signed CloudEvents."
      actions={
        canManage && (
          <Button leftSection={<Icon name="plus" />} onClick={() => setIsNew(true)}>
            New webhook
          </Button>
        )
      }
    >
      <Panel flush>
        <Loaded of={webhooks}>
          {(items) =>
            items.length === 0 ? (
              <Empty title="No webhooks yet">
                {canManage ? 'Make one to receive notifications.' : 'A manager can make one.'}
              </Empty>
            ) : (
              <SortedTable label="Webhooks" columns={COLUMNS} rows={items}>
                {(webhook) => (
                  <WebhookRow
                    key={webhook.id}
                    webhook={webhook}
                    change={canManage ? change : null}
                    onOpen={setOpened}
                    onSecret={setMade}
                  />
                )}
              </SortedTable>
            )
          }
        </Loaded>
      </Panel>
      {isNew && <NewWebhook onClose={() => setIsNew(false)} onMade={setMade} />}
      <SecretModal
        title="Secret of the webhook"
        what="secret"
        secret={made?.secret ?? null}
        onClose={() => setMade(null)}
      />
      <DeliveriesDrawer
        isOpen={opened !== null}
        onClose={() => setOpened(null)}
        queryOf={(status) => deliveriesQuery(opened?.id ?? '', status)}
        onResend={canManage ? (id) => change('POST', `/webhooks/deliveries/${id}/resend`) : null}
      />
    </Page>
  );
}
