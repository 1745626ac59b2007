import type { JsonWebKey } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { CallMade } from '#account/calls.js';
import {
  AccountingUnavailableError,
  type ChargeRequest,
  type Charging,
} from '#account/charging.js';
import { terms } from '#account/scenario.suite.js';
import type { UnansweredCalls } from '#charging-link/unanswered-calls.js';
import { Accounting } from '#deciding/accounting.js';
import type { PriceSource } from '#deciding/current-terms.js';
import { InProcessCharging } from '#deciding/in-process-charging.js';
import { SystemChanges } from '#deciding/changes/system-changes.js';
import { FIRST_HEAD, hashEvent } from '#event-log/hash-chain.js';
import type { FoundCall } from '#projections/chain/call-places.js';
import type { EventLog } from '#event-log/event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { ReceiptKeys } from '#receipts/receipt-keys.js';
import { Receipts } from '#receipts/receipts.js';
import { ReceiptSigner } from '#receipts/receipt-signer.js';
import type { RunningReceipts } from '#receipts/start-receipts.js';
import type { RefusedCall } from '#rest/refusals/refused-calls.js';
import { MemoryRateLimits } from '#web/rates/memory-rate-limits.js';
import { createApi } from '../src/create-api.js';
import type { ApiConfiguration } from '../src/services.js';
import { MemoryReleases } from './memory-releases.js';
import { memoryStore, postgresStore, type Store } from './stores.js';
import { TestAccounts, type NewAccount, type NewKey } from './test-accounts.js';
import type { TestAccount, TestKey } from './test-accounts.js';

export const BASE_URL = 'http://api.test';
/** A Saturday in 2026w47, whose window ends on Tuesday the 24th. */
export const NOW = Date.parse('2026-11-21T12:00:00Z');

export interface LogEntry {
  readonly level: string;
  readonly members: object;
  readonly message: string;
}

/** The port of charging, with what was asked of it. */
export interface ObservedCharging extends Charging {
  readonly requests: ChargeRequest[];
}

/** The whole public API over a log of its own, and everything that a test turns about it. */
export interface TestApi {
  readonly app: NestFastifyApplication;
  readonly accounts: TestAccounts;
  readonly charging: ObservedCharging;
  readonly invoices: Store['invoices'];
  readonly releases: MemoryReleases;
  readonly clock: { time: number; now(): number };
  readonly log: LogEntry[];
  /** Refused calls that were counted. */
  readonly refused: RefusedCall[];
  readiness: { ready: boolean; parts: Record<string, { ready: boolean; detail?: string }> };
  account(credits?: number, changes?: NewAccount): TestAccount;
  key(account: TestAccount, changes?: NewKey): TestKey;
  close(): Promise<void>;
}

interface Changes {
  readonly configuration?: Partial<ApiConfiguration>;
  readonly charging?: (real: Charging) => Charging;
  readonly unanswered?: UnansweredCalls;
  /** Clock of the rate limits, in ms; real time by default. */
  readonly rateClock?: () => number;
  /** Whether there is no key that signs receipts. */
  readonly isUnsigned?: boolean;
  /** Whether the log stands in PostgreSQL, for what is read of accounts; in memory by default. */
  readonly reads?: boolean;
}

const PRICES: PriceSource = {
  terms: () => terms,
  state: () => ({ ready: true }),
  has: async () => true,
  refresh: async () => undefined,
  sells: () => true,
};

/** Whoever asked is answered with the fault; a bug is seen there. */
const NO_EVENTS = { onFault: () => undefined };

export async function createTestApi(changes: Changes = {}): Promise<TestApi> {
  const clock = {
    time: NOW,
    now(): number {
      return this.time;
    },
  };
  const { calendar } = terms;
  const store = changes.reads ? await postgresStore(clock) : memoryStore(clock);
  const { log, loader } = store;
  const accounting = new Accounting({ log, loader, clock, terms: PRICES.terms, events: NO_EVENTS });
  const charging = observed(new InProcessCharging(accounting, loader, clock, PRICES, log));
  const logged: LogEntry[] = [];
  const refused: RefusedCall[] = [];
  const write =
    (level: string) =>
    (members: object, message: string): void => {
      logged.push({ level, members, message });
    };
  const accounts = new TestAccounts({ accounting, ...store });
  const releases = new MemoryReleases();
  const test = {
    accounts,
    charging,
    releases,
    invoices: store.invoices,
    clock,
    log: logged,
    refused,
    readiness: { ready: true, parts: { database: { ready: true } } },
    account: (credits = 1_000_000, more: NewAccount = {}) => accounts.open(credits, more),
    key: (account: TestAccount, more: NewKey = {}) => accounts.issueKey(account, more),
  };
  const app = await createApi({
    configuration: { baseUrl: BASE_URL, ...changes.configuration },
    calendar,
    clock,
    charging: changes.charging?.(charging) ?? charging,
    forwarding: {
      forward: async () => {
        throw new AccountingUnavailableError('There is none.');
      },
    },
    unanswered: changes.unanswered,
    keys: accounts,
    releases,
    reads: store.reads,
    invoices: store.invoices,
    pool: store.pool,
    eventLog: log,
    system: new SystemStream(log),
    receipts: await testReceipts(log, changes.isUnsigned ?? false),
    refusedCalls: { count: (call) => refused.push(call) },
    rates: new MemoryRateLimits(changes.rateClock),
    readiness: async () => test.readiness,
    logger: { info: write('info'), warn: write('warn'), error: write('error') },
  });
  const close = async (): Promise<void> => {
    await app.close();
    await store.close();
  };
  return Object.assign(test, { app, close });
}

/** Signs with a key that is kept in memory. */
async function testReceipts(
  log: EventLog,
  isUnsigned: boolean,
): Promise<Pick<RunningReceipts, 'receipts' | 'signer'>> {
  const kept = new Map<string, JsonWebKey>();
  const privateKeys = {
    save: async (kid: string, jwk: string) => void kept.set(kid, JSON.parse(jwk) as JsonWebKey),
    find: async (kid: string) => kept.get(kid),
    keepOnly: async () => undefined,
  };
  const system = new SystemStream(log);
  const clock = { now: () => NOW };
  const changes = new SystemChanges(system, clock);
  if (!isUnsigned) await new ReceiptKeys({ system, changes, privateKeys, clock }).ensure();
  const signer = new ReceiptSigner({ system, privateKeys, clock, onFault: () => undefined });
  await signer.refresh();
  return { signer, receipts: new Receipts(signer, { find: (...of) => findPlace(log, ...of) }) };
}

/** The place of a call in a log in memory, by all events of its account. */
async function findPlace(
  log: EventLog,
  accountId: string | null,
  callId: string,
): Promise<FoundCall | undefined> {
  let head = FIRST_HEAD;
  for (const event of await log.readAccount(accountId ?? '', 0, Number.MAX_SAFE_INTEGER)) {
    head = hashEvent(head, event);
    if (event.callId !== callId) continue;
    const charged = { callId, at: event.at, call: JSON.parse(event.data) as CallMade };
    const place = { version: event.accountVersion, head };
    return { accountId: event.accountId, charged, place };
  }
  return undefined;
}

function observed(charging: Charging): ObservedCharging {
  const requests: ChargeRequest[] = [];
  return {
    requests,
    charge: (request) => {
      requests.push(request);
      return charging.charge(request);
    },
    quote: (request) => charging.quote(request),
  };
}

/** Headers of a caller. */
export function bearer(key: TestKey): { authorization: string } {
  return { authorization: `Bearer ${key.text}` };
}
