import { ChargingServer } from '#charging-link/charging-server.js';
import type { Ability } from '#charging-link/server-connection.js';
import { closeDataFolder, warnOfOpenKey } from '#service/data-folder.js';
import { openFoundations } from '#service/foundations.js';
import { chooseFreePorts } from '#service/free-ports.js';
import { serviceLogger } from '#service/logger.js';
import { announceService } from '#service/running-service.js';
import { localUrl } from '#web/configuration-urls.js';
import { readConfiguration } from '#web/configuration.js';
import { runMain } from '#web/run-main.js';
import { listenAt, listenOn, withAnsweringDatabase } from '#web/startup-error.js';
import { watchAbility } from '#deciding/watch-ability.js';
import { startAccounting } from './accounting-service.js';
import { startAdmin } from './admin.js';
import { startKeyHolders } from './key-holder-requests.js';
import { startPortal } from './portal.js';
import { accountingServices } from './services.js';

await runMain('popindex accounting', async (shutdown) => {
  const configuration = await chooseFreePorts(readConfiguration('accounting', process.env), [
    'accountingPort',
    'chargingPort',
    'portalPort',
  ]);
  const { databaseUrl, chargingSecret, chargingPort, chargingSocket, adminToken, host } =
    configuration;
  if (databaseUrl === null || chargingSecret === null || adminToken === null) {
    throw new Error('A setting is missing.');
  }
  const logger = serviceLogger(configuration);
  shutdown.reportTo(logger);
  const announceReady = announceService(configuration);
  closeDataFolder({ dataDir: configuration.dataDir, holdsSecrets: false, log: logger });
  warnOfOpenKey('CHARGING_TLS_KEY', process.env['CHARGING_TLS_KEY'], logger);
  const database = { url: databaseUrl, migrationUrl: configuration.migrationDatabaseUrl };
  await withAnsweringDatabase(database, async () => {
    const foundations = await openFoundations(configuration, database, logger, shutdown);
    const service = await startAccounting(
      foundations,
      configuration.webhookSecretKey ?? chargingSecret,
      shutdown,
    );
    const apiUrl = configuration.apiUrl ?? configuration.baseUrl;
    const runtime = { ...foundations, ...service, adminToken, apiUrl };
    const services = accountingServices(runtime);
    const forwarding = await startKeyHolders(runtime, services, shutdown);
    const options = {
      forwarding,
      charging: service.charging,
      secret: chargingSecret,
      onUnsettled: service.settlement.settle.bind(service.settlement),
      onFault: (error: unknown) => logger.warn({ err: error }, 'The charging server has a fault.'),
    };
    const server = new ChargingServer({ ...options, tls: configuration.chargingTls ?? undefined });
    const local = new ChargingServer(options);
    const announce = (ability: Ability): void => {
      server.announce(ability);
      local.announce(ability);
    };
    await watchAbility(foundations, service, announce, shutdown);
    const port = await listenOn('CHARGING_PORT', host, chargingPort, () =>
      server.listen(host, chargingPort),
    );
    shutdown.drain('the charging server', () => server.close());
    if (chargingSocket !== null) {
      await listenAt('CHARGING_SOCKET', chargingSocket, () => local.listenAt(chargingSocket));
      shutdown.drain('the charging server of the socket', () => local.close());
    }
    await startAdmin(runtime, services, shutdown);
    await startPortal(runtime, services, shutdown);
    announceReady();
    const url = localUrl(host, configuration.accountingPort);
    logger.info({ url, chargingPort: port }, 'Accounting serves.');
  });
});
