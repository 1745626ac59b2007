import type pg from 'pg';
import type { BillingEntry } from '#account/billing-events.js';
import { appliedAmounts, writtenOff } from '#account/settlement.js';
import { rowsOf, type Read } from './invoice-rows.js';

/** Counts what events of a type set against invoices. */
export async function addPaid<Type extends BillingEntry['type']>(
  client: pg.ClientBase,
  events: readonly Read<Extract<BillingEntry, { type: Type }>['data']>[],
  type: Type,
): Promise<void> {
  const parts = events.flatMap(({ stored, data }) =>
    appliedAmounts({ type, data } as BillingEntry).map(([id, paid]) => ({
      stored,
      data: { id, paid },
    })),
  );
  if (parts.length === 0) return;
  await client.query({
    name: 'invoices-paid',
    text: `update invoice i set paid = i.paid + p.paid
             from (select lane, id, sum(paid)::bigint as paid
                     from json_populate_recordset(null::invoice, $1) group by 1, 2) p
            where i.lane = p.lane and i.id = p.id`,
    values: [rowsOf(parts, ({ data }) => data)],
  });
}

/** Counts what events of a type write off of invoices. */
export async function addWrittenOff<Type extends 'WriteOffRecorded' | 'CreditNoteSealed'>(
  client: pg.ClientBase,
  events: readonly Read<Extract<BillingEntry, { type: Type }>['data']>[],
  type: Type,
): Promise<void> {
  const parts = events.flatMap(({ stored, data }) => {
    const [id, amount] = writtenOff({ type, data } as BillingEntry) ?? [];
    return id === undefined ? [] : [{ stored, data: { id, written_off: amount } }];
  });
  if (parts.length === 0) return;
  await client.query({
    name: 'invoices-written-off',
    text: `update invoice i set written_off = i.written_off + w.written_off
             from (select lane, id, sum(written_off)::bigint as written_off
                     from json_populate_recordset(null::invoice, $1) group by 1, 2) w
            where i.lane = w.lane and i.id = w.id`,
    values: [rowsOf(parts, ({ data }) => data)],
  });
}
