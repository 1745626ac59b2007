import { Button, Drawer, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../rest/problem.js';
import { CLOSE } from '../ui/confirm-button.js';
import { Moment } from '../ui/moment.js';
import { Empty } from '../ui/notice.js';
import { Paged } from '../ui/paged.js';
import { Pill, type Tone } from '../ui/pill.js';
import css from './deliveries.module.css';
import type { Delivery, DeliveryStatus, Page } from '../rest/answers.js';
import type { Read } from '#client/operations.js';
import { pages } from '../rest/reads.js';

interface DeliveriesProps {
  /** Deliveries in this state; null: all. */
  readonly of: (status: DeliveryStatus | null) => Read<Page<Delivery>>;
  /** Null: nothing is sent again by whoever may not. */
  readonly onResend: ((deliveryId: string) => Promise<unknown>) | null;
  /** Why nothing can be sent again. */
  readonly refusal?: string | undefined;
}

interface DeliveriesDrawerProps extends DeliveriesProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Deliveries to a webhook, in a drawer. */
export function DeliveriesDrawer({ isOpen, onClose, ...deliveries }: DeliveriesDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="min(640px, 100vw)"
      title="Deliveries, newest first"
      closeButtonProps={CLOSE}
    >
      {isOpen && <Deliveries {...deliveries} />}
    </Drawer>
  );
}

const REFRESH_MS = 3_000;
const STATES = [
  { value: '', label: 'All' },
  { value: 'pending', label: 'Pending' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
];

/** Deliveries with their attempts. */
export function Deliveries({ of, ...resend }: DeliveriesProps) {
  const [status, setStatus] = useState<DeliveryStatus | ''>('');
  // A delivery is no event of the account: no stream reports it.
  const list = useInfiniteQuery({ ...pages(of(status || null)), refetchInterval: REFRESH_MS });
  return (
    <>
      <SegmentedControl
        aria-label="State"
        fullWidth
        data={STATES}
        value={status}
        onChange={(next) => setStatus(next as DeliveryStatus | '')}
      />
      <Paged of={list} empty={<Empty title="Nothing here" />}>
        {(items) => (
          <ul className={css.list}>
            {items.map((delivery) => (
              <DeliveryItem key={delivery.id} delivery={delivery} {...resend} />
            ))}
          </ul>
        )}
      </Paged>
    </>
  );
}

const TONES: Readonly<Record<string, Tone>> = {
  delivered: 'good',
  failed: 'bad',
  pending: 'warn',
};

interface DeliveryItemProps extends Omit<DeliveriesProps, 'of'> {
  readonly delivery: Delivery;
}

function DeliveryItem({ delivery, onResend, refusal }: DeliveryItemProps) {
  const { id, type, number, email, status, created_at: at, attempts } = delivery;
  const { next_attempt_at: next } = delivery;
  return (
    <li className={css.delivery}>
      <div className={css.head}>
        <strong>{[type, number, email].filter(Boolean).join(' · ')}</strong>
        <Pill tone={TONES[status] ?? 'plain'}>{status}</Pill>
        <span className={css.when}>
          <Moment at={at} />
        </span>
        {onResend !== null && <Resend onResend={() => onResend(id)} refusal={refusal} />}
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

interface ResendProps {
  readonly onResend: () => Promise<unknown>;
  readonly refusal: string | undefined;
}

function Resend({ onResend, refusal }: ResendProps) {
  const resend = useMutation({ mutationFn: onResend });
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
