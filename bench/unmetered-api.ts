import {
  AccountingUnavailableError,
  type ChargeOutcome,
  type ChargeRequest,
  type Charging,
  type QuoteOutcome,
} from '#account/charging.js';
import type { Clock } from '#calendar/clock.js';
import type { Forwarding } from '#charging-link/forwarding.js';
import { openFoundations } from '#service/foundations.js';
import { chooseFreePorts } from '#service/free-ports.js';
import { serviceLogger } from '#service/logger.js';
import { foundationParts } from '#service/readiness-parts.js';
import { readConfiguration } from '#web/configuration.js';
import { startReceipts } from '#receipts/start-receipts.js';
import { runMain } from '#web/run-main.js';
import { startApi } from '../apps/api/src/start-api.js';

const BALANCE = 1_000_000_000;

/** Answers as for a repeated call, at once, and keeps nothing: what is left is the API itself. */
class NoCharging implements Charging {
  constructor(private readonly clock: Clock) {}

  charge({ callId, key, window, release, apiKey, rows }: ChargeRequest): Promise<ChargeOutcome> {
    const call = {
      key,
      window,
      release,
      api_key: apiKey,
      rows,
      kind: 'repeat' as const,
      cost: [10, 0] as const,
      card: 1,
      rule: 'none',
      draws: [],
      balance: BALANCE,
    };
    const charged = { callId, at: this.clock.now(), call, balance: BALANCE };
    return Promise.resolve({ outcome: 'charged', charged, replayed: false });
  }

  quote(): Promise<QuoteOutcome> {
    return Promise.resolve({ outcome: 'quoted', items: [], balance: BALANCE });
  }
}

await runMain('unmetered api', async (shutdown) => {
  const configuration = await chooseFreePorts(readConfiguration('standalone', process.env), [
    'apiPort',
  ]);
  const { databaseUrl, baseUrl } = configuration;
  if (databaseUrl === null) throw new Error('DATABASE_URL is missing.');
  const logger = serviceLogger(configuration);
  const foundations = await openFoundations(
    configuration,
    { url: databaseUrl, migrationUrl: null },
    logger,
    shutdown,
  );
  const charging = new NoCharging(foundations.clock);
  const forwarding: Forwarding = {
    forward: () => Promise.reject(new AccountingUnavailableError('There is no accounting.')),
  };
  const signing = { secret: 'a-secret-of-the-benchmarks-alone-1', ensures: true };
  const receipts = await startReceipts(foundations, signing, shutdown);
  const services = { charging, forwarding, receipts };
  await startApi(foundations, services, foundationParts(foundations), shutdown);
  process.stdout.write(`Public API   ${baseUrl}\nReady.\n`);
});
