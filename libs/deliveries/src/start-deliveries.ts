import type pg from 'pg';
import { AccountLoader } from '#projections/loading/account-loader.js';
import { servicePool, type Foundations } from '#service/foundations.js';
import type { Configuration } from '#web/configuration.js';
import type { Log } from '#web/log.js';
import type { Shutdown } from '#web/shutdown.js';
import { openDeliveries, type Deliveries } from './deliveries.js';
import { ReleaseWatch } from './release-watch.js';

const CONNECTIONS = 4;
const TIMEOUT_MS = 10_000;
const NO_MAIL_SERVER =
  'Budgets name e-mail addresses and SMTP_URL is not set: their alerts are tried for three days, and ' +
  'reach nobody before a mail server is set.';
/** Attempts under way may end; the others are made again by whoever runs next. */
const GRACE_MS = 3_000;

/**
 * Starts to deliver, and to watch for releases that are missing; the shutdown stops both. `secret`:
 * what encrypts the webhooks' secrets.
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
  const onNoMailServer = warnOnce(logger);
  const parts = { pool, log: eventLog, system, loader, clock, settings, onFault, onNoMailServer };
  const deliveries = openDeliveries(parts);
  if (settings.mail === null)
    void hasAddresses(pool).then((has) => has && onNoMailServer(), onFault);
  const watch = new ReleaseWatch({ system, calendar, clock, onFault });
  deliveries.worker.start();
  watch.start();
  deliveries.sweep.start();
  shutdown.drain('the deliveries', async () => {
    const cutting = setTimeout(() => deliveries.cut(), GRACE_MS);
    const { worker, sweep } = deliveries;
    await Promise.all([worker.stop(GRACE_MS), watch.stop(), sweep.stop()]);
    clearTimeout(cutting);
  });
  return deliveries;
}

/** Warns operators before alerts are lost, and not with each of them. */
function warnOnce(log: Log): () => void {
  let hasWarned = false;
  return () => {
    if (!hasWarned) log.warn({}, NO_MAIL_SERVER);
    hasWarned = true;
  };
}

/** Whether a budget names addresses, or has named them. */
async function hasAddresses(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ has: boolean }>(
    `select exists (select from profile where body -> 'emails' is not null) as has`,
  );
  return rows[0]?.has === true;
}

function settingsOf({ baseUrl, portalUrl, smtpUrl, mailFrom, webhookAllowPrivate }: Configuration) {
  const mail = smtpUrl === null || mailFrom === null ? null : { smtpUrl, from: mailFrom };
  return { baseUrl, portalUrl, mail, allowPrivate: webhookAllowPrivate };
}
