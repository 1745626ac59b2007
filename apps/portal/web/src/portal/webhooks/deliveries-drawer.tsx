import { Button, Drawer } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Delivery, Webhook } from '../../rest/answers.js';
import { problemOf } from '../../rest/problem.js';
import { PORTAL, deliveriesQuery } from '../../rest/queries.js';
import { change } from '../../rest/request.js';
import { CLOSE } from '../../ui/confirm-button.js';
import { Loading } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { Empty, ProblemNotice } from '../../ui/notice.js';
import { Pill, type Tone } from '../../ui/pill.js';
import { useCanManage } from '../session.js';
import css from './webhooks.module.css';

interface DeliveriesDrawerProps {
  /** Null: closed. */
  readonly webhook: Webhook | null;
  readonly onClose: () => void;
}

export function DeliveriesDrawer({ webhook, onClose }: DeliveriesDrawerProps) {
  return (
    <Drawer
      opened={webhook !== null}
      onClose={onClose}
      position="right"
      size="min(600px, 100vw)"
      title="Deliveries, newest first"
      closeButtonProps={CLOSE}
    >
      {webhook !== null && <Deliveries webhookId={webhook.id} />}
    </Drawer>
  );
}

const READ_ANEW_MS = 3_000;

function Deliveries({ webhookId }: { readonly webhookId: string }) {
  // What was sent is no event of the account: the stream does not tell of it.
  const list = useInfiniteQuery({ ...deliveriesQuery(webhookId), refetchInterval: READ_ANEW_MS });
  const items = list.data?.pages.flatMap((page) => page.items);
  if (items === undefined) {
    if (!list.isError) return <Loading rows={6} />;
    return <ProblemNotice error={list.error} onRetry={() => void list.refetch()} />;
  }
  if (items.length === 0) return <Empty title="Nothing was sent yet" />;
  return (
    <>
      <ul className={css.list}>
        {items.map((delivery) => (
          <DeliveryItem key={delivery.id} delivery={delivery} webhookId={webhookId} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button
          variant="default"
          fullWidth
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Older ones
        </Button>
      )}
    </>
  );
}

const TONES: Readonly<Record<string, Tone>> = {
  delivered: 'good',
  failed: 'bad',
  pending: 'warn',
};

interface DeliveryItemProps {
  readonly delivery: Delivery;
  readonly webhookId: string;
}

function DeliveryItem({ delivery, webhookId }: DeliveryItemProps) {
  const { type, status, created_at: at, next_attempt_at: next, attempts } = delivery;
  return (
    <li className={css.delivery}>
      <div className={css.head}>
        <strong>{type}</strong>
        <Pill tone={TONES[status] ?? 'plain'}>{status}</Pill>
        <span className={css.when}>
          <Moment at={at} />
        </span>
        <Resend delivery={delivery} webhookId={webhookId} />
      </div>
      <ol className={css.attempts}>
        {attempts.map((attempt) => (
          <li key={attempt.id}>
            <Moment at={attempt.at} />: {attempt.status ?? attempt.outcome} in {attempt.duration_ms}{' '}
            ms
            {attempt.detail !== null && ` – ${attempt.detail}`}
          </li>
        ))}
        {next !== null && (
          <li>
            again at <Moment at={next} />
          </li>
        )}
      </ol>
    </li>
  );
}

function Resend({ delivery, webhookId }: DeliveryItemProps) {
  const canManage = useCanManage();
  const client = useQueryClient();
  const resend = useMutation({
    mutationFn: () => change('POST', `${PORTAL}/webhooks/deliveries/${delivery.id}/resend`),
    onSettled: () => client.invalidateQueries({ queryKey: ['deliveries', webhookId] }),
  });
  if (!canManage) return null;
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        loading={resend.isPending}
        onClick={() => resend.mutate()}
      >
        Send again
      </Button>
      {resend.isError && <span role="alert">{problemOf(resend.error).detail}</span>}
    </>
  );
}
