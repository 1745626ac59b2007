import { ChargingServer } from '#charging/charging-server.js';
import { openFoundations } from '#service/foundations.js';
import { chooseFreePorts } from '#service/free-ports.js';
import { serviceLogger } from '#service/logger.js';
import { localUrl } from '#web/configuration-urls.js';
import { readConfiguration } from '#web/configuration.js';
import { runMain } from '#web/run-main.js';
import { listenOn } from '#web/startup-error.js';
import { watchAbility } from '#deciding/watch-ability.js';
import { startAccounting } from './accounting-service.js';
import { startAdmin } from './start-admin.js';
import { startPortal } from './start-portal.js';

await runMain('popindex accounting', async (shutdown) => {
  const configuration = await chooseFreePorts(readConfiguration('accounting', process.env), [
    'accountingPort',
    'chargingPort',
    'portalPort',
  ]);
  const { databaseUrl, chargingSecret, chargingPort, adminToken, host } = configuration;
  if (databaseUrl === null || chargingSecret === null || adminToken === null) {
    throw new Error('A setting is missing.');
  }
  const logger = serviceLogger(configuration);
  const database = { url: databaseUrl, migrationUrl: configuration.migrationDatabaseUrl };
  const foundations = await openFoundations(configuration, database, logger, shutdown);
  const service = await startAccounting(
    foundations,
    configuration.webhookSecretKey ?? chargingSecret,
    shutdown,
  );
  const server = new ChargingServer({
    charging: service.charging,
    secret: chargingSecret,
    tls: configuration.chargingTls ?? undefined,
    onUnsettled: (call) => service.settlement.settle(call),
    onFault: (error) => logger.warn({ err: error }, 'The charging server has a fault.'),
  });
  const announce = server.announce.bind(server);
  await watchAbility(foundations, service, announce, shutdown);
  const port = await listenOn('CHARGING_PORT', host, chargingPort, () =>
    server.listen(host, chargingPort),
  );
  shutdown.drain('the charging server', () => server.close());
  await startAdmin(foundations, service, adminToken, shutdown);
  const apiUrl = configuration.apiUrl ?? configuration.baseUrl;
  await startPortal(foundations, service, adminToken, apiUrl, shutdown);
  const url = localUrl(host, configuration.accountingPort);
  logger.info({ url, chargingPort: port }, 'Accounting serves.');
});
