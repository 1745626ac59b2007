import { Button, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import css from '../../portal/webhooks/webhooks.module.css';
import { problemOf } from '../../rest/problem.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Pill, type Tone } from '../../ui/pill.js';
import { useChangeRefusal } from '../console-session.js';
import { Paged } from '../paged.js';
import type { Delivery } from '../rest/admin-answers.js';
import { deliveriesQuery } from '../rest/admin-queries.js';
import { useAdminChange } from '../rest/use-admin-change.js';

const READ_ANEW_MS = 3_000;
const STATES = [
  { value: '', label: 'All' },
  { value: 'pending', label: 'Pending' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
];
const TONES: Readonly<Record<string, Tone>> = {
  delivered: 'good',
  failed: 'bad',
  pending: 'warn',
};

/** What was sent to a webhook, attempt by attempt. */
export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const [status, setStatus] = useState('');
  const list = useInfiniteQuery({
    ...deliveriesQuery(webhookId, status),
    refetchInterval: READ_ANEW_MS,
  });
  return (
    <>
      <SegmentedControl
        aria-label="State"
        fullWidth
        data={STATES}
        value={status}
        onChange={setStatus}
      />
      <Paged of={list} empty={<Empty title="Nothing here" />}>
        {(items) => (
          <ul className={css.list}>
            {items.map((delivery) => (
              <DeliveryItem key={delivery.id} delivery={delivery} />
            ))}
          </ul>
        )}
      </Paged>
    </>
  );
}

function DeliveryItem({ delivery }: { readonly delivery: Delivery }) {
  const { type, status, created_at: at, next_attempt_at: next, attempts } = delivery;
  return (
    <li className={css.delivery}>
      <div className={css.head}>
        <strong>{type}</strong>
        <Pill tone={TONES[status] ?? 'plain'}>{status}</Pill>
        <span className={css.when}>
          <Moment at={at} />
        </span>
        <Resend id={delivery.id} />
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

function Resend({ id }: { readonly id: string }) {
  const change = useAdminChange();
  const refusal = useChangeRefusal();
  const resend = useMutation({
    mutationFn: () => change('POST', `/webhooks/deliveries/${id}/resend`),
  });
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        loading={resend.isPending}
        disabled={refusal !== undefined}
        {...(refusal !== undefined && { title: refusal })}
        onClick={() => resend.mutate()}
      >
        Send again
      </Button>
      {resend.isError && <span role="alert">{problemOf(resend.error).detail}</span>}
    </>
  );
}
