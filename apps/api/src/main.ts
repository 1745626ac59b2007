import { startReceipts } from '#receipts/start-receipts.js';
import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { RemoteCharging } from '#charging-link/remote-charging.js';
import { UnsettledJournal } from '#charging-link/unsettled-journal.js';
import { closeDataFolder, warnOfOpenKey } from '#service/data-folder.js';
import { openFoundations } from '#service/foundations.js';
import { chooseFreePorts } from '#service/free-ports.js';
import { serviceLogger } from '#service/logger.js';
import { foundationParts, readinessOf } from '#service/readiness-parts.js';
import { keepUnansweredCalls, settleLeftCalls, unansweredPart } from '#service/unanswered-calls.js';
import { readConfiguration } from '#web/configuration.js';
import { runMain } from '#web/run-main.js';
import { withAnsweringDatabase } from '#web/startup-error.js';
import { startApi } from './start-api.js';
import { supervise } from './supervise.js';
import { apiWorker } from './worker.js';

await runMain('popindex api', async (shutdown) => {
  const worker = apiWorker();
  const read = readConfiguration('api', process.env);
  // A worker's port is the one that its primary has chosen and holds.
  const configuration = cluster.isWorker ? read : await chooseFreePorts(read, ['apiPort']);
  if (cluster.isPrimary && configuration.apiWorkers > 0) {
    return supervise(configuration, fileURLToPath(import.meta.url), shutdown);
  }
  const { databaseUrl, chargingUrls, chargingSecret, baseUrl } = configuration;
  if (databaseUrl === null || chargingSecret === null) throw new Error('A setting is missing.');
  const logger = serviceLogger(configuration);
  if (worker === null) shutdown.reportTo(logger);
  closeDataFolder({ dataDir: configuration.dataDir, holdsSecrets: false, log: logger });
  warnOfOpenKey('CHARGING_TLS_KEY', process.env['CHARGING_TLS_KEY'], logger);
  const database = { url: databaseUrl, migrationUrl: configuration.migrationDatabaseUrl };
  await withAnsweringDatabase(database, async () => {
    const foundations = await openFoundations(configuration, database, logger, shutdown);
    const onFault = (error: unknown): void => logger.warn({ err: error }, 'Charging has a fault.');
    const charging = new RemoteCharging({
      urls: chargingUrls,
      secret: chargingSecret,
      tls: configuration.chargingTls ?? undefined,
      clock: foundations.clock,
      onFault,
      journal: new UnsettledJournal(configuration.dataDir, onFault),
    });
    shutdown.stop('charging', () => charging.close());
    settleLeftCalls(foundations, (call) => charging.settle(call), shutdown);
    const unanswered = keepUnansweredCalls(foundations, shutdown);
    const parts = {
      ...foundationParts(foundations),
      unanswered_calls: () => unansweredPart(unanswered),
      charging: () =>
        charging.ready()
          ? { ready: true }
          : { ready: false, detail: `No accounting process can decide. ${charging.trouble}` },
    };
    const secret = configuration.webhookSecretKey ?? chargingSecret;
    const receipts = await startReceipts(foundations, { secret, ensures: false }, shutdown);
    worker?.shareMetrics(foundations.telemetry);
    if (worker === null) foundations.telemetry.watchReadiness(readinessOf(parts, logger));
    await startApi(
      foundations,
      { charging, forwarding: charging, receipts },
      parts,
      shutdown,
      unanswered,
      worker,
    );
    if (worker !== null) await worker.primary.ask('serving');
    else logger.info({ url: baseUrl, port: configuration.apiPort }, 'The public API serves.');
  });
});
