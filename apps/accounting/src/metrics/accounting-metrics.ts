import type pg from 'pg';
import { countHeld } from '#projections/invoices/held-invoices.js';
import { readDamage } from '#event-log/damaged-accounts.js';
import { projectionLags } from '#event-log/projection-lag.js';
import type { Projection } from '#event-log/projection.js';
import type { Metrics } from '#service/metrics/metrics.js';
import type { Deliveries } from '#deliveries/deliveries.js';

/** Measures the lag of each projection behind the log, whichever process keeps it up. */
export function watchProjections(
  metrics: Metrics,
  pool: pg.Pool,
  projections: readonly Pick<Projection, 'name'>[],
): void {
  const names = projections.map(({ name }) => name);
  const read = async (member: 'events' | 'seconds') =>
    (await projectionLags(pool, names)).map(({ name, ...lag }) => ({
      labels: { projection: name },
      value: lag[member],
    }));
  metrics.sampled(
    'popindex_projection_lag_events',
    'Events of the log that a projection does not hold yet.',
    'gauge',
    () => read('events'),
  );
  metrics.sampled(
    'popindex_projection_lag_seconds',
    'How long the oldest event that a projection does not hold has been in the log.',
    'gauge',
    () => read('seconds'),
  );
}

/** Counts the deliveries of this process, and the pending ones of all. */
export function watchDeliveries(
  metrics: Metrics,
  { counters, pending }: Pick<Deliveries, 'counters' | 'pending'>,
): void {
  metrics.sampled(
    'popindex_delivery_attempts_total',
    'Attempts to deliver: sent, retried (failed and to be made again) or failed (given up).',
    'counter',
    () =>
      (['sent', 'retried', 'failed'] as const).map((outcome) => ({
        labels: { outcome },
        value: counters[outcome],
      })),
  );
  metrics.sampled(
    'popindex_deliveries_pending',
    'Deliveries that are still to be made, by all processes.',
    'gauge',
    async () => [{ labels: {}, value: await pending() }],
  );
}

/** Counts the accounts for which nothing can be decided until somebody repairs them. */
export function watchDamage(metrics: Metrics, pool: pg.Pool): void {
  metrics.sampled(
    'popindex_damaged_accounts',
    'Accounts with an event that cannot be applied: until it is repaired they answer 503.',
    'gauge',
    async () => {
      const ids = (await readDamage(pool, {})).map(({ accountId }) => accountId);
      return [{ labels: {}, value: new Set(ids).size }];
    },
  );
}

/** Counts the closed months of customers with something to bill and no invoice yet. */
export function watchInvoices(metrics: Metrics, pool: pg.Pool): void {
  metrics.sampled(
    'popindex_months_without_invoice',
    'Closed months with something to bill that are not invoiced yet, of all accounts but test ones.',
    'gauge',
    async () => [{ labels: {}, value: await countUninvoiced(pool) }],
  );
  metrics.sampled(
    'popindex_invoices_held',
    'Invoices that are held because facts are missing, of all accounts but test ones.',
    'gauge',
    async () => [{ labels: {}, value: await countHeld(pool) }],
  );
}

async function countUninvoiced(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'months-without-invoice',
    text: `select count(*) as count
             from invoice_month m join ledger_account a using (lane, account_id)
            where m.is_billable and not m.is_sealed and a.state ->> 'test' <> 'true'`,
  });
  return rows[0]?.count ?? 0;
}
