import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Webhook } from '../../rest/answers.js';
import { webhooksQuery } from '../../rest/queries.js';
import { Icon } from '../../ui/icon.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { SecretModal } from '../../ui/secret-modal.js';
import { Table, mainCell } from '../../ui/table.js';
import { useCanManage } from '../session.js';
import { DeliveriesDrawer } from './deliveries-drawer.js';
import { NewWebhook } from './new-webhook.js';
import { WebhookActions } from './webhook-actions.js';

/** Addresses that are told of what happens in this account. */
export function WebhooksPage() {
  const webhooks = useQuery(webhooksQuery);
  const canManage = useCanManage();
  const [isNew, setIsNew] = useState(false);
  const [made, setMade] = useState<Webhook | null>(null);
  const [opened, setOpened] = useState<Webhook | null>(null);
  return (
    <Page
      title="Webhooks"
      lead="Told of alerts, keys, invoices and closed windows, as signed CloudEvents."
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
                {canManage ? 'Make one to be told without asking.' : 'A manager can make one.'}
              </Empty>
            ) : (
              <Table label="Webhooks" head={COLUMNS}>
                {items.map((webhook) => (
                  <tr key={webhook.id}>
                    <td className={mainCell}>
                      <code>{webhook.url}</code>
                      {webhook.description !== null && <div>{webhook.description}</div>}
                    </td>
                    <td className={mainCell}>{webhook.events?.join(', ') ?? 'everything'}</td>
                    <td>
                      <Moment at={webhook.created_at} dateOnly />
                    </td>
                    <td>
                      <WebhookActions
                        webhook={webhook}
                        onOpen={() => setOpened(webhook)}
                        onSecret={setMade}
                      />
                    </td>
                  </tr>
                ))}
              </Table>
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
      <DeliveriesDrawer webhook={opened} onClose={() => setOpened(null)} />
    </Page>
  );
}

const COLUMNS = (
  <tr>
    <th scope="col">Address</th>
    <th scope="col">Told of</th>
    <th scope="col">Made</th>
    <th scope="col">
      <span className="visually-hidden">Actions</span>
    </th>
  </tr>
);
