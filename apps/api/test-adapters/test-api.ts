import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Charging } from '#account/charging.js';
import { Calendar } from '#calendar/calendar.js';
import type { UnansweredCalls } from '#charging/unanswered-calls.js';
import type { KeyRecord } from '#account/key-directory.js';
import { MemoryRateLimits } from '#web/rates/memory-rate-limits.js';
import type { ApiConfiguration } from '../src/api-dependencies.js';
import { createApi } from '../src/create-api.js';
import { MemoryAccounts, type MemoryAccount, type MemoryKey } from './memory-accounts.js';
import { MemoryCharging } from './memory-charging.js';
import { MemoryInvoices } from './memory-invoices.js';
import { MemoryReads } from './memory-reads.js';
import { MemoryReleases } from './memory-releases.js';
import { MemoryStatements } from './memory-statements.js';

export const BASE_URL = 'http://api.test';
/** A Saturday in 2026w47, whose window ends on Tuesday the 24th. */
export const NOW = Date.parse('2026-11-21T12:00:00Z');

export interface Logged {
  readonly level: string;
  readonly members: object;
  readonly message: string;
}

/** The whole public API over adapters in memory, and everything that a test turns about it. */
export interface TestApi {
  readonly app: NestFastifyApplication;
  readonly accounts: MemoryAccounts;
  readonly charging: MemoryCharging;
  readonly invoices: MemoryInvoices;
  readonly releases: MemoryReleases;
  readonly clock: { time: number; now(): number };
  readonly log: Logged[];
  readiness: { ready: boolean; parts: Record<string, { ready: boolean; detail?: string }> };
  account(credits?: number, changes?: Partial<MemoryAccount>): MemoryAccount;
  key(account: MemoryAccount, changes?: Partial<KeyRecord>): MemoryKey;
}

interface Changes {
  readonly configuration?: Partial<ApiConfiguration>;
  readonly charging?: (real: MemoryCharging) => Charging;
  readonly unanswered?: UnansweredCalls;
  /** Clock of the rate limits, in ms; real time by default. */
  readonly rateClock?: () => number;
}

export async function createTestApi(changes: Changes = {}): Promise<TestApi> {
  const calendar = new Calendar('UTC');
  const clock = {
    time: NOW,
    now(): number {
      return this.time;
    },
  };
  const accounts = new MemoryAccounts();
  const charging = new MemoryCharging(accounts, calendar, clock);
  const releases = new MemoryReleases();
  const invoices = new MemoryInvoices();
  const log: Logged[] = [];
  const write =
    (level: string) =>
    (members: object, message: string): void => {
      log.push({ level, members, message });
    };
  const test = {
    accounts,
    charging,
    releases,
    invoices,
    clock,
    log,
    readiness: { ready: true, parts: { database: { ready: true } } },
    account: (credits = 1_000_000, more: Partial<MemoryAccount> = {}) =>
      Object.assign(accounts.open({ credits }), more),
    key: (account: MemoryAccount, more: Partial<KeyRecord> = {}) =>
      accounts.issueKey(account, more),
  };
  const app = await createApi({
    configuration: { baseUrl: BASE_URL, ...changes.configuration },
    calendar,
    clock,
    charging: changes.charging?.(charging) ?? charging,
    unanswered: changes.unanswered,
    keys: accounts,
    releases,
    reads: new MemoryReads(accounts, calendar, clock),
    invoices,
    statements: new MemoryStatements(accounts),
    rates: new MemoryRateLimits(changes.rateClock),
    readiness: async () => test.readiness,
    log: { info: write('info'), warn: write('warn'), error: write('error') },
  });
  return Object.assign(test, { app });
}

/** Headers of a caller. */
export function bearer(key: MemoryKey): { authorization: string } {
  return { authorization: `Bearer ${key.text}` };
}
