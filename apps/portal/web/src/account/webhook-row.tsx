import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Webhook } from '../rest/answers.js';
import { problemOf } from '../rest/problem.js';
import type { Change } from '../rest/use-change.js';
import { ConfirmButton } from '../ui/confirm-button.js';
import { Moment } from '../ui/moment.js';
import { mainCell } from '../ui/table.js';
import css from './account.module.css';

interface WebhookRowProps<Shown extends Webhook> {
  readonly webhook: Shown;
  /** Null: whoever looks changes nothing. */
  readonly change: Change | null;
  /** Why nothing can be changed. */
  readonly refusal?: string | undefined;
  readonly onOpen: (webhook: Shown) => void;
  readonly onSecret: (webhook: Shown) => void;
  /** Cells of its own, before what can be done. */
  readonly children?: ReactNode;
}

/** A webhook, and what can be done with it. */
export function WebhookRow<Shown extends Webhook>(props: WebhookRowProps<Shown>) {
  const { webhook, change, children, onOpen } = props;
  return (
    <tr>
      <td className={mainCell}>
        <code>{webhook.url}</code>
        {webhook.description !== null && <div>{webhook.description}</div>}
        <div className={css.made}>
          made <Moment at={webhook.created_at} dateOnly />
        </div>
      </td>
      <td className={mainCell}>{webhook.events?.join(', ') ?? 'everything'}</td>
      {children}
      <td>
        <Group gap={6} wrap="nowrap" justify="flex-end">
          <Button size="compact-sm" variant="default" onClick={() => onOpen(webhook)}>
            Deliveries
          </Button>
          {change !== null && <Changes {...props} change={change} />}
        </Group>
      </td>
    </tr>
  );
}

type ChangesProps<Shown extends Webhook> = WebhookRowProps<Shown> & { readonly change: Change };

/** Testing, a new secret, removing. */
function Changes<Shown extends Webhook>(props: ChangesProps<Shown>) {
  const { webhook, change, refusal, onOpen, onSecret } = props;
  const path = `/webhooks/${webhook.id}`;
  const bodyOf = (reason: string | undefined) => ({ ...(reason !== undefined && { reason }) });
  return (
    <>
      <TestButton
        onTest={() => change('POST', `${path}/test`)}
        onTested={() => onOpen(webhook)}
        refusal={refusal}
      />
      <ConfirmButton
        label="New secret"
        title="Make a new secret?"
        confirm="Make it"
        disabledBecause={refusal}
        onConfirm={async (reason) =>
          onSecret(await change<Shown>('POST', `${path}/rotate`, bodyOf(reason)))
        }
      >
        For a day deliveries carry the signature of both, so that nothing is lost meanwhile.
      </ConfirmButton>
      <ConfirmButton
        label="Remove"
        title="Remove this webhook?"
        confirm="Remove it"
        irreversible
        disabledBecause={refusal}
        onConfirm={(reason) => change('DELETE', path, bodyOf(reason))}
      >
        <code>{webhook.url}</code> receives no more notifications; pending deliveries are dropped.
      </ConfirmButton>
    </>
  );
}

interface TestButtonProps {
  readonly onTest: () => Promise<unknown>;
  readonly onTested: () => void;
  readonly refusal: string | undefined;
}

function TestButton({ onTest, onTested, refusal }: TestButtonProps) {
  const test = useMutation({ mutationFn: onTest, onSuccess: onTested });
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
