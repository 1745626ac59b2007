import { AccountLoader } from '#ledger/account-loader.js';
import { servicePool, type Foundations } from '#service/foundations.js';
import type { Configuration } from '#web/configuration.js';
import type { Shutdown } from '#web/shutdown.js';
import { openDeliveries, type Deliveries } from './deliveries.js';
import { ReleaseWatch } from './release-watch.js';

const CONNECTIONS = 4;
const TIMEOUT_MS = 10_000;
/** Attempts under way may end; the others are made again by whoever runs next. */
const GRACE_MS = 3_000;

/**
 * Starts to deliver, and to watch for releases that are missing; the shutdown stops both. `secret`:
 * what seals the webhooks' secrets.
 */
export function startDeliveries(
  foundations: Foundations,
  secret: string,
  shutdown: Shutdown,
): Deliveries {
  const { configuration, databaseUrl, logger, calendar, clock, eventLog, system } = foundations;
  const onFault = (error: unknown): void =>
    logger.warn({ err: error }, 'The deliveries have a fault.');
  const limits = { connections: CONNECTIONS, timeoutMs: TIMEOUT_MS };
  const pool = servicePool(databaseUrl, 'deliveries', limits, logger, shutdown);
  foundations.telemetry.watchPool('deliveries', pool);
  const settings = { ...settingsOf(configuration), secret };
  const loader = new AccountLoader(pool);
  const parts = { pool, log: eventLog, system, loader, clock, settings, onFault };
  const deliveries = openDeliveries(parts);
  const watch = new ReleaseWatch({ system, calendar, clock, onFault });
  deliveries.worker.start();
  watch.start();
  shutdown.drain('the deliveries', async () => {
    const cutting = setTimeout(() => deliveries.cut(), GRACE_MS);
    await Promise.all([deliveries.worker.stop(GRACE_MS), watch.stop()]);
    clearTimeout(cutting);
  });
  return deliveries;
}

function settingsOf({ baseUrl, portalUrl, smtpUrl, mailFrom, webhookAllowPrivate }: Configuration) {
  const mail = smtpUrl === null || mailFrom === null ? null : { smtpUrl, from: mailFrom };
  return { baseUrl, portalUrl, mail, allowPrivate: webhookAllowPrivate };
}
