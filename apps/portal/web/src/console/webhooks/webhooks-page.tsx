import { Button, Drawer, Group } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../../rest/problem.js';
import { CLOSE, ConfirmButton } from '../../ui/confirm-button.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { SecretModal } from '../../ui/secret-modal.js';
import { Table, mainCell } from '../../ui/table.js';
import { useChangeRefusal } from '../console-session.js';
import { ActButton } from '../form/act-button.js';
import type { Field } from '../form/fields.js';
import { FormButton } from '../form/form-button.js';
import { Heads, Paged } from '../paged.js';
import type { OperatorWebhook } from '../rest/admin-answers.js';
import { webhooksQuery } from '../rest/admin-queries.js';
import { useAdminChange } from '../rest/use-admin-change.js';
import { Deliveries } from './deliveries.js';

const WEBHOOK: readonly Field[] = [
  { name: 'url', label: 'Address', placeholder: 'https://example.com/hooks/popindex' },
  {
    name: 'events',
    label: 'Told of',
    kind: 'words',
    description: 'Types such as invoice.issued; empty: everything, also what is still to come.',
  },
  {
    name: 'account_id',
    label: 'Account (optional)',
    description: 'Empty: the events of all accounts, and of releases.',
  },
  { name: 'description', label: 'Description (optional)' },
];

/** Addresses that are told of events, and what was delivered there. */
export function WebhooksPage() {
  const webhooks = useInfiniteQuery(webhooksQuery);
  const change = useAdminChange();
  const [made, setMade] = useState<OperatorWebhook | null>(null);
  const [opened, setOpened] = useState<OperatorWebhook | null>(null);
  return (
    <Page
      wide
      title="Webhooks"
      lead="Signed CloudEvents, sent until they are taken, for three days."
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
            <Table
              label="Webhooks"
              head={<Heads of={['Address', 'Told of', 'Account', 'Made', '!Actions']} />}
            >
              {items.map((webhook) => (
                <WebhookRow
                  key={webhook.id}
                  webhook={webhook}
                  onOpen={setOpened}
                  onSecret={setMade}
                />
              ))}
            </Table>
          )}
        </Paged>
      </Panel>
      <SecretModal
        title="Secret of the webhook"
        what="secret"
        secret={made?.secret ?? null}
        onClose={() => setMade(null)}
      />
      <Drawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        position="right"
        size="min(640px, 100vw)"
        title="Deliveries, newest first"
        closeButtonProps={CLOSE}
      >
        {opened !== null && <Deliveries webhookId={opened.id} />}
      </Drawer>
    </Page>
  );
}

interface WebhookRowProps {
  readonly webhook: OperatorWebhook;
  readonly onOpen: (webhook: OperatorWebhook) => void;
  readonly onSecret: (webhook: OperatorWebhook) => void;
}

function WebhookRow({ webhook, onOpen, onSecret }: WebhookRowProps) {
  const change = useAdminChange();
  const refusal = useChangeRefusal();
  const path = `/webhooks/${webhook.id}`;
  return (
    <tr>
      <td className={mainCell}>
        <code>{webhook.url}</code>
        {webhook.description !== null && <div>{webhook.description}</div>}
      </td>
      <td className={mainCell}>{webhook.events?.join(', ') ?? 'everything'}</td>
      <td>
        {webhook.account_id === null ? 'all' : <code>{webhook.account_id.slice(0, 8)}…</code>}
      </td>
      <td>
        <Moment at={webhook.created_at} dateOnly />
      </td>
      <td>
        <Group gap={6} wrap="nowrap" justify="flex-end">
          <Button size="compact-sm" variant="default" onClick={() => onOpen(webhook)}>
            Deliveries
          </Button>
          <TestButton path={path} onTested={() => onOpen(webhook)} />
          <ConfirmButton
            label="New secret"
            title="Make a new secret?"
            confirm="Make it"
            disabledBecause={refusal}
            onConfirm={async (reason) =>
              onSecret(
                await change<OperatorWebhook>('POST', `${path}/rotate`, {
                  ...(reason && { reason }),
                }),
              )
            }
          >
            For a day deliveries carry the signature of both, so that nothing is lost meanwhile.
          </ConfirmButton>
          <ActButton
            label="Remove"
            title="Remove this webhook?"
            confirm="Remove it"
            method="DELETE"
            path={path}
          >
            It is told nothing any more; what waits to be sent is dropped.
          </ActButton>
        </Group>
      </td>
    </tr>
  );
}

interface TestButtonProps {
  readonly path: string;
  readonly onTested: () => void;
}

function TestButton({ path, onTested }: TestButtonProps) {
  const change = useAdminChange();
  const refusal = useChangeRefusal();
  const test = useMutation({
    mutationFn: () => change('POST', `${path}/test`),
    onSuccess: onTested,
  });
  const problem = test.isError ? problemOf(test.error) : null;
  const title = refusal ?? problem?.detail ?? problem?.title;
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={test.isPending}
      disabled={refusal !== undefined}
      onClick={() => test.mutate()}
      {...(title !== undefined && { title })}
    >
      {problem === null ? 'Test' : 'Test failed'}
    </Button>
  );
}
