import type { Forwarding } from '#charging/forwarding.js';
import { serviceDatabase } from '#embedded-postgres/service-database.js';
import { Profiles } from '#ledger/texts/profiles.js';
import { openFoundations, type Foundations } from '#service/foundations.js';
import { closeDataFolder } from '#service/data-folder.js';
import { chooseFreePorts } from '#service/free-ports.js';
import { serviceLogger } from '#service/logger.js';
import { keepUnansweredCalls, unansweredPart } from '#service/unanswered-calls.js';
import { localUrl } from '#web/configuration-urls.js';
import { readConfiguration } from '#web/configuration.js';
import { runMain } from '#web/run-main.js';
import type { Shutdown } from '#web/shutdown.js';
import {
  startAccounting,
  type AccountingService,
} from '../../accounting/src/accounting-service.js';
import { SettlingCharging } from '#deciding/settling-charging.js';
import { startAdmin } from '../../accounting/src/start-admin.js';
import { startKeyHolders } from '../../accounting/src/start-key-holders.js';
import { startPortal } from '../../accounting/src/start-portal.js';
import { startApi } from '../../api/src/start-api.js';
import { banner, keptOpeners, maySpeakSecrets } from './banner.js';
import { DEMO_ACCOUNT_ID, demoApiKey, openDemoAccount } from './demo-account.js';
import { startApiWorkers } from './start-api-workers.js';
import { demoSecrets } from './demo-secrets.js';
import { loadDemoData } from './demo-data.js';
import { writeDemoHistory } from './demo-history.js';
import { payDemoInvoices, setDemoSeller } from './demo-invoices.js';
import { adminToken, webhookKey } from './embedded-secrets.js';

/**
 * The demo belongs on an empty database. Its past is written before anything keeps time here: a
 * timer that ticked its account would bring it to the present in the middle of it. Answers whether
 * it was written now.
 */
async function writeDemoPast(foundations: Foundations): Promise<boolean> {
  const { configuration, releases } = foundations;
  if (!configuration.demo || releases.first() !== undefined) return false;
  await loadDemoData(foundations);
  await setDemoSeller(foundations);
  await writeDemoHistory(foundations, demoApiKey(configuration.dataDir));
  return true;
}

/** The key of the demo's account, which stays where it was opened once. */
async function demo(foundations: Foundations, service: AccountingService): Promise<string | null> {
  const { configuration, reads, pool, clock } = foundations;
  if (!configuration.demo || (await reads.account(DEMO_ACCOUNT_ID)) === undefined) return null;
  const { accounting } = service;
  const apiKey = demoApiKey(configuration.dataDir);
  await openDemoAccount({ accounting, profiles: new Profiles(pool), clock }, apiKey);
  return apiKey;
}

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

await runMain('popindex', async (shutdown) => {
  const configuration = await chooseFreePorts(readConfiguration('standalone', process.env), [
    'apiPort',
    'accountingPort',
    'portalPort',
  ]);
  const logger = serviceLogger(configuration);
  closeDataFolder({ dataDir: configuration.dataDir, holdsSecrets: true, log: logger });
  const database = await serviceDatabase(configuration, shutdown, (event) =>
    logger.info({ database: event }, 'The embedded database changed its state.'),
  );
  const token = configuration.adminToken ?? adminToken(configuration.dataDir);
  const foundations = await openFoundations(configuration, database, logger, shutdown);
  const webhookSecret = configuration.webhookSecretKey ?? webhookKey(configuration.dataDir);
  const isNewDemo = await writeDemoPast(foundations);
  const isBesideApi = configuration.apiWorkers === 0;
  const service = await startAccounting(foundations, webhookSecret, shutdown, isBesideApi);
  const apiKey = await demo(foundations, service);
  await startAdmin(foundations, service, token, shutdown);
  const apiUrl = localUrl(configuration.host, configuration.apiPort);
  const portal = await startPortal(foundations, service, token, apiUrl, shutdown);
  const forwarding = await startKeyHolders(foundations, service, token, shutdown);
  if (configuration.apiWorkers > 0) {
    await startApiWorkers(foundations, { database, webhookSecret }, service, forwarding, shutdown);
  } else {
    await startOwnApi(foundations, service, forwarding, shutdown);
  }
  if (isNewDemo) await payDemoInvoices(foundations, service.invoicing, portal.payments);
  const openers = maySpeakSecrets(configuration, process.stdout.isTTY)
    ? { adminToken: token, demo: await demoSecrets(apiKey, portal.sessions) }
    : keptOpeners(configuration, apiKey === null ? null : DEMO_ACCOUNT_ID);
  process.stdout.write(banner(configuration, openers));
});
