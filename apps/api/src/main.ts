import { RemoteCharging } from '#charging/remote-charging.js';
import { UnsettledJournal } from '#charging/unsettled-journal.js';
import { openFoundations } from '#service/foundations.js';
import { chooseFreePorts } from '#service/free-ports.js';
import { serviceLogger } from '#service/logger.js';
import { foundationParts, readinessOf } from '#service/readiness-parts.js';
import { keepUnansweredCalls, settleLeftCalls, unansweredPart } from '#service/unanswered-calls.js';
import { readConfiguration } from '#web/configuration.js';
import { runMain } from '#web/run-main.js';
import { startApi } from './start-api.js';

await runMain('popindex api', async (shutdown) => {
  const configuration = await chooseFreePorts(readConfiguration('api', process.env), ['apiPort']);
  const { databaseUrl, chargingUrls, chargingSecret, baseUrl } = configuration;
  if (databaseUrl === null || chargingSecret === null) throw new Error('A setting is missing.');
  const logger = serviceLogger(configuration);
  const database = { url: databaseUrl, migrationUrl: configuration.migrationDatabaseUrl };
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
  foundations.telemetry.watchReadiness(readinessOf(parts, logger));
  await startApi(foundations, charging, parts, shutdown, unanswered);
  logger.info({ url: baseUrl }, 'The public API serves.');
});
