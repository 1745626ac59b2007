import type { Forwarding } from '#charging-link/forwarding.js';
import { serviceDatabase } from '#embedded-postgres/service-database.js';
import type { DatabaseUrls } from '#embedded-postgres/state-file.js';
import { openFoundations, type Foundations } from '#service/foundations.js';
import { closeDataFolder } from '#service/data-folder.js';
import { chooseFreePorts } from '#service/free-ports.js';
import { serviceLogger } from '#service/logger.js';
import { announceService } from '#service/running-service.js';
import { keepUnansweredCalls, unansweredPart } from '#service/unanswered-calls.js';
import { localUrl } from '#web/configuration-urls.js';
import { readConfiguration, type Configuration } from '#web/configuration.js';
import type { Log } from '#web/log.js';
import { runMain } from '#web/run-main.js';
import type { Shutdown } from '#web/shutdown.js';
import { withAnsweringDatabase } from '#web/startup-error.js';
import {
  startAccounting,
  type AccountingService,
} from '../../accounting/src/accounting-service.js';
import { SettlingCharging } from '#deciding/settling-charging.js';
import { startAdmin } from '../../accounting/src/admin.js';
import { startKeyHolders } from '../../accounting/src/key-holder-requests.js';
import { startPortal } from '../../accounting/src/portal.js';
import { accountingServices } from '../../accounting/src/services.js';
import { startApi } from '../../api/src/start-api.js';
import { banner, keptOpeners, canPrintSecrets } from './banner.js';
import { DEMO_ACCOUNT_ID } from './demo-account.js';
import { startApiWorkers } from './start-api-workers.js';
import { demoSecrets } from './demo-secrets.js';
import { payDemoInvoices } from './demo-invoices.js';
import { openDemo, writeDemoPast } from './demo.js';
import { adminToken, webhookKey } from './embedded-secrets.js';

/** Serves the public API from this process. */
async function startOwnApi(
  foundations: Foundations,
  service: AccountingService,
  forwarding: Forwarding,
  shutdown: Shutdown,
): Promise<void> {
  const unanswered = keepUnansweredCalls(foundations, shutdown);
  await startApi(
    foundations,
    {
      charging: new SettlingCharging(service.charging, service.settlement),
      forwarding,
      receipts: service.receipts,
    },
    { ...service.parts, unanswered_calls: () => unansweredPart(unanswered) },
    shutdown,
    unanswered,
  );
}

/** Serves all parts from this process, and prints where they are. */
async function serveAll(
  configuration: Configuration,
  database: DatabaseUrls,
  logger: Log,
  shutdown: Shutdown,
): Promise<void> {
  const token = configuration.adminToken ?? adminToken(configuration.dataDir);
  const foundations = await openFoundations(configuration, database, logger, shutdown);
  const webhookSecret = configuration.webhookSecretKey ?? webhookKey(configuration.dataDir);
  await writeDemoPast(foundations);
  const isBesideApi = configuration.apiWorkers === 0;
  const service = await startAccounting(foundations, webhookSecret, shutdown, isBesideApi);
  const demo = await openDemo(foundations, service.accounting);
  const apiUrl = localUrl(configuration.host, configuration.apiPort);
  const runtime = { ...foundations, ...service, adminToken: token, apiUrl };
  const services = accountingServices(runtime);
  await startAdmin(runtime, services, shutdown);
  await startPortal(runtime, services, shutdown);
  const forwarding = await startKeyHolders(runtime, services, shutdown);
  if (configuration.apiWorkers > 0) {
    await startApiWorkers(foundations, { database, webhookSecret }, service, forwarding, shutdown);
  } else {
    await startOwnApi(foundations, service, forwarding, shutdown);
  }
  if (demo !== null) {
    await payDemoInvoices(foundations, demo.grantedAt, service.invoicing, services.payments);
  }
  const openers = canPrintSecrets(configuration, process.stdout.isTTY)
    ? { adminToken: token, demo: await demoSecrets(demo?.apiKey ?? null, services.portalSessions) }
    : keptOpeners(configuration, demo === null ? null : DEMO_ACCOUNT_ID);
  process.stdout.write(banner(configuration, openers));
}

await runMain('popindex', async (shutdown) => {
  const configuration = await chooseFreePorts(readConfiguration('standalone', process.env), [
    'apiPort',
    'accountingPort',
    'portalPort',
  ]);
  const logger = serviceLogger(configuration);
  shutdown.reportTo(logger);
  const announceReady = announceService(configuration);
  closeDataFolder({ dataDir: configuration.dataDir, holdsSecrets: true, log: logger });
  const database = await serviceDatabase(configuration, shutdown, (event) =>
    logger.info({ database: event }, 'The embedded database changed its state.'),
  );
  await withAnsweringDatabase(database, () => serveAll(configuration, database, logger, shutdown));
  announceReady();
});
