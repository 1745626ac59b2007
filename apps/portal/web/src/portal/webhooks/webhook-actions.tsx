import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Delivery, Webhook } from '../../rest/answers.js';
import { problemOf } from '../../rest/problem.js';
import { PORTAL } from '../../rest/queries.js';
import { change } from '../../rest/request.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { useCanManage } from '../session.js';

interface WebhookActionsProps {
  readonly webhook: Webhook;
  readonly onOpen: () => void;
  readonly onSecret: (webhook: Webhook) => void;
}

/** What was delivered; testing, a new secret, removing. */
export function WebhookActions({ webhook, onOpen, onSecret }: WebhookActionsProps) {
  const canManage = useCanManage();
  const client = useQueryClient();
  const path = `${PORTAL}/webhooks/${webhook.id}`;
  const readAnew = () => client.invalidateQueries({ queryKey: ['webhooks'] });
  const rotate = async (reason: string | undefined) => {
    onSecret(await change<Webhook>('POST', `${path}/rotate`, { ...(reason && { reason }) }));
    await readAnew();
  };
  const remove = async (reason: string | undefined) => {
    await change('DELETE', path, { ...(reason && { reason }) });
    await readAnew();
  };
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      <Button size="compact-sm" variant="default" onClick={onOpen}>
        Deliveries
      </Button>
      {canManage && (
        <>
          <TestButton path={path} webhookId={webhook.id} onTested={onOpen} />
          <ConfirmButton
            label="New secret"
            title="Make a new secret?"
            confirm="Make it"
            onConfirm={rotate}
          >
            For a day deliveries carry the signature of both, so that nothing is lost meanwhile.
          </ConfirmButton>
          <ConfirmButton
            label="Remove"
            title="Remove this webhook?"
            confirm="Remove it"
            onConfirm={remove}
          >
            <code>{webhook.url}</code> is told nothing any more; what waits to be sent is dropped.
          </ConfirmButton>
        </>
      )}
    </Group>
  );
}

interface TestButtonProps {
  readonly path: string;
  readonly webhookId: string;
  readonly onTested: () => void;
}

function TestButton({ path, webhookId, onTested }: TestButtonProps) {
  const client = useQueryClient();
  const test = useMutation({
    mutationFn: () => change<Delivery>('POST', `${path}/test`),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['deliveries', webhookId] });
      onTested();
    },
  });
  const problem = test.isError ? problemOf(test.error) : null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={test.isPending}
      onClick={() => test.mutate()}
      {...(problem !== null && { title: problem.detail ?? problem.title, color: 'red' })}
    >
      {problem === null ? 'Test' : 'Test failed'}
    </Button>
  );
}
