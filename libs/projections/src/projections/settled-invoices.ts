import type pg from 'pg';
import { appliedAmounts, type BillingEntry, writtenOff } from '#account/billing-events.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { rowsOf, type Read } from './invoice-rows.js';
import { queryByLane } from '#event-log/query-by-lane.js';

/** An amount of an event that is counted at an invoice. */
interface Part {
  readonly stored: StoredEvent;
  readonly data: { readonly id: string; readonly amount: number };
}

/** Adds amounts to a sum of their invoices. */
export async function addTo(
  client: pg.ClientBase,
  sum: 'paid' | 'written_off' | 'credited',
  parts: readonly Part[],
): Promise<void> {
  if (parts.length === 0) return;
  await queryByLane<object, Part>(
    client,
    parts,
    ({ stored }) => stored.lane,
    (own) => ({
      name: `invoices-${sum}`,
      text: `update invoice i set ${sum} = i.${sum} + p.amount
             from (select lane, id, sum(amount)::bigint as amount
                     from json_to_recordset($1) as part (lane smallint, id uuid, amount bigint)
                    group by 1, 2) p
            where i.lane = p.lane and i.id = p.id`,
      values: [rowsOf(own, ({ data }) => data)],
    }),
  );
}

/** Counts what events of a type set against invoices. */
export function addPaid<Type extends BillingEntry['type']>(
  client: pg.ClientBase,
  events: readonly Read<Extract<BillingEntry, { type: Type }>['data']>[],
  type: Type,
): Promise<void> {
  const parts = events.flatMap(({ stored, data }) =>
    appliedAmounts({ type, data } as BillingEntry).map(([id, amount]) => ({
      stored,
      data: { id, amount },
    })),
  );
  return addTo(client, 'paid', parts);
}

/** Counts what events of a type write off of invoices. */
export function addWrittenOff<Type extends 'WriteOffRecorded' | 'CreditNoteSealed'>(
  client: pg.ClientBase,
  events: readonly Read<Extract<BillingEntry, { type: Type }>['data']>[],
  type: Type,
): Promise<void> {
  const parts = events.flatMap(({ stored, data }) => {
    const [id, amount = 0] = writtenOff({ type, data } as BillingEntry) ?? [];
    return id === undefined ? [] : [{ stored, data: { id, amount } }];
  });
  return addTo(client, 'written_off', parts);
}
