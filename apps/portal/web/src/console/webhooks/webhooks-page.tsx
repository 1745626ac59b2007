import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DeliveriesDrawer } from '../../account/deliveries.js';
import { WebhookRow } from '../../account/webhook-row.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { SecretModal } from '../../ui/secret-modal.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { useChangeRefusal } from '../console-session.js';
import type { Field } from '../../form/fields.js';
import { FormButton } from '../form/form-button.js';
import type { OperatorWebhook } from '../rest/admin-answers.js';
import { NOTIFICATION_TYPES } from '#ledger/projections/notification-types.js';
import { deliveriesQuery, webhooksQuery } from '../rest/admin-queries.js';
import { useAdminChange } from '../rest/use-admin-change.js';

const WEBHOOK: readonly Field[] = [
  { name: 'url', label: 'Address', placeholder: 'https://example.com/hooks/popindex' },
  {
    name: 'events',
    label: 'Events',
    kind: 'choices',
    options: NOTIFICATION_TYPES.map((type) => ({ value: type, label: type })),
    placeholder: 'everything, also what is still to come',
  },
  {
    name: 'account_id',
    label: 'Account (optional)',
    description: 'Empty: the events of all accounts, and of releases.',
  },
  { name: 'description', label: 'Description (optional)' },
];

const COLUMNS: readonly SortedColumn<OperatorWebhook>[] = [
  { name: 'address', label: 'Address', value: ({ url }) => url },
  { name: 'events', label: 'Events', value: ({ events }) => events?.join() ?? 'everything' },
  { name: 'account', label: 'Account', value: (webhook) => webhook.account_id },
  { name: '', label: 'Actions' },
];

/** Addresses that receive notifications, and their deliveries. */
export function WebhooksPage() {
  const webhooks = useInfiniteQuery(webhooksQuery);
  const change = useAdminChange();
  const refusal = useChangeRefusal();
  const [made, setMade] = useState<OperatorWebhook | null>(null);
  const [opened, setOpened] = useState<OperatorWebhook | null>(null);
  return (
    <Page
      wide
      title="Webhooks"
      lead="Signed CloudEvents. A delivery that fails is retried for three days."
      actions={
        <FormButton
          label="New webhook"
          title="New webhook"
          icon="plus"
          variant="filled"
          fields={WEBHOOK}
          submit="Make the webhook"
          onSubmit={async (body) =>
            setMade(await change<OperatorWebhook>('POST', '/webhooks', body))
          }
        />
      }
    >
      <Panel flush>
        <Paged of={webhooks} empty={<Empty title="No webhooks yet" />}>
          {(items) => (
            <SortedTable label="Webhooks" columns={COLUMNS} rows={items}>
              {(webhook) => (
                <WebhookRow
                  key={webhook.id}
                  webhook={webhook}
                  change={change}
                  refusal={refusal}
                  onOpen={setOpened}
                  onSecret={setMade}
                >
                  <td>
                    {webhook.account_id === null ? (
                      'all'
                    ) : (
                      <Link to={`/accounts/${webhook.account_id}` as string}>
                        <code>{webhook.account_id.slice(0, 8)}…</code>
                      </Link>
                    )}
                  </td>
                </WebhookRow>
              )}
            </SortedTable>
          )}
        </Paged>
      </Panel>
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
        onResend={(id) => change('POST', `/webhooks/deliveries/${id}/resend`)}
        refusal={refusal}
      />
    </Page>
  );
}
