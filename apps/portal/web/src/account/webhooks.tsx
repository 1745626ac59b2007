import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Command } from '#client/operations.js';
import type { Portal } from '#dist/pages/portal.js';
import { ActButton } from '../form/act-button.js';
import { useChangeRefusal } from '../form/change-refusal.js';
import type { Field } from '../form/fields.js';
import type { Webhook, WebhookWithSecret } from '../rest/answers.js';
import { problemOf } from '../rest/problem.js';
import { useChange } from '../rest/use-change.js';
import { actions, main } from '../ui/columns.js';
import type { Columns } from '../ui/data-table.js';
import { ListPanel } from '../ui/list-panel.js';
import { Moment } from '../ui/moment.js';
import { Page } from '../ui/page.js';
import { SecretModal } from '../ui/secret-modal.js';
import css from './account.module.css';
import { DeliveriesDrawer } from './deliveries.js';
import { ChangeButton } from '../form/change-button.js';

/** Operations of webhooks, as both interfaces have them. */
type Operations = Pick<
  Portal,
  | 'listWebhooks'
  | 'testWebhook'
  | 'rotateWebhookSecret'
  | 'removeWebhook'
  | 'listDeliveries'
  | 'resendDelivery'
> & { readonly createWebhook: () => Command<WebhookWithSecret, unknown> };

interface WebhooksPageProps {
  readonly of: Operations;
  readonly lead: string;
  readonly empty: readonly [title: string, text?: string];
  /** Types of events that can be chosen. */
  readonly events: readonly string[];
  /** Whether whoever looks may change them. */
  readonly isChangeable: boolean;
  /** Of lists over all accounts. */
  readonly account?: { readonly field: Field; readonly columns: Columns<Webhook> };
}

/** Addresses that receive notifications, and their deliveries. */
export function WebhooksPage(props: WebhooksPageProps) {
  const { of, lead, empty, events, isChangeable, account } = props;
  const [made, setMade] = useState<WebhookWithSecret | null>(null);
  const [opened, setOpened] = useState<Webhook | null>(null);
  const change = useChange();
  const refusal = useChangeRefusal();
  const actionsOf = (webhook: Webhook) => (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      <Button size="compact-sm" variant="default" onClick={() => setOpened(webhook)}>
        Deliveries
      </Button>
      {isChangeable && (
        <Changes of={of} webhook={webhook} onTested={() => setOpened(webhook)} onSecret={setMade} />
      )}
    </Group>
  );
  return (
    <Page
      wide={account !== undefined}
      title="Webhooks"
      lead={lead}
      actions={
        isChangeable && (
          <ChangeButton
            label="New webhook"
            title="New webhook"
            icon="plus"
            variant="filled"
            fields={fieldsOf(events, account?.field)}
            submit="Make the webhook"
            of={of.createWebhook()}
            onAnswer={setMade}
          />
        )
      }
    >
      <ListPanel
        label="Webhooks"
        of={of.listWebhooks()}
        columns={[...COLUMNS, ...(account?.columns ?? []), actions(actionsOf)]}
        empty={empty}
      />
      <SecretModal
        title="Secret of the webhook"
        what="secret"
        secret={made?.secret ?? null}
        onClose={() => setMade(null)}
      />
      <DeliveriesDrawer
        isOpen={opened !== null}
        onClose={() => setOpened(null)}
        of={(status) =>
          of.listDeliveries({ webhook_id: opened?.id ?? '', order: 'desc', limit: 50, status })
        }
        onResend={isChangeable ? (id) => change(of.resendDelivery({ delivery_id: id })) : null}
        refusal={refusal}
      />
    </Page>
  );
}

function fieldsOf(events: readonly string[], account: Field | undefined): readonly Field[] {
  return [
    { name: 'url', label: 'Address', placeholder: 'https://example.com/hooks/popindex' },
    {
      name: 'events',
      label: 'Events',
      kind: 'choices',
      options: events.map((type) => ({ value: type, label: type })),
      placeholder: 'everything, also what is still to come',
    },
    ...(account === undefined ? [] : [account]),
    { name: 'description', label: 'Description (optional)' },
  ];
}

const COLUMNS: Columns<Webhook> = [
  {
    label: 'Address',
    kind: 'main',
    sort: ({ url }) => url,
    cell: ({ url, description, created_at: at }) => (
      <>
        <code>{url}</code>
        {description !== null && <div>{description}</div>}
        <div className={css.made}>
          made <Moment at={at} dateOnly />
        </div>
      </>
    ),
  },
  main('Events', ({ events }) => events?.join(', '), 'everything'),
];

interface ChangesProps {
  readonly of: Operations;
  readonly webhook: Webhook;
  readonly onTested: () => void;
  readonly onSecret: (webhook: WebhookWithSecret) => void;
}

/** Testing, a new secret, removing. */
function Changes({ of, webhook: { id, url }, onTested, onSecret }: ChangesProps) {
  const webhook = { webhook_id: id };
  return (
    <>
      <TestButton of={of.testWebhook(webhook)} onTested={onTested} />
      <ActButton
        label="New secret"
        title="Make a new secret?"
        confirm="Make it"
        of={of.rotateWebhookSecret(webhook)}
        onAnswer={onSecret}
      >
        For a day deliveries carry the signature of both, so that nothing is lost meanwhile.
      </ActButton>
      <ActButton
        label="Remove"
        title="Remove this webhook?"
        confirm="Remove it"
        irreversible
        of={of.removeWebhook(webhook)}
      >
        <code>{url}</code> receives no more notifications; pending deliveries are dropped.
      </ActButton>
    </>
  );
}

interface TestButtonProps {
  readonly of: Command<unknown, unknown>;
  readonly onTested: () => void;
}

function TestButton({ of, onTested }: TestButtonProps) {
  const change = useChange();
  const refusal = useChangeRefusal();
  const test = useMutation({ mutationFn: () => change(of), onSuccess: onTested });
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
      {...(problem !== null && { color: 'red' })}
    >
      {problem === null ? 'Test' : 'Test failed'}
    </Button>
  );
}
