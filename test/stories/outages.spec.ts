import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EmbeddedPostgres } from '#embedded-postgres/embedded-postgres.js';
import type { CallView, Page } from '#projections/views/account-reads.js';
import { importDemoRelease } from '../setup/demo-release.js';
import { freePort } from '../setup/free-port.js';
import type { Answer, Customer } from '../setup/service.js';
import { SplitService } from '../setup/split-service.js';
import { waitFor } from '../setup/wait-for.js';

const PATH = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const BALANCE = 1_000_000;

let folder: string;
let port: number;
let postgres: EmbeddedPostgres;
let service: SplitService;

function startPostgres(): Promise<EmbeddedPostgres> {
  return EmbeddedPostgres.start({ dataDir: path.join(folder, 'data'), port });
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-outages-'));
  port = await freePort();
  postgres = await startPostgres();
  await importDemoRelease(postgres.url, folder);
  service = await SplitService.start(postgres.url);
}, 120_000);

afterAll(async () => {
  await service.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The account's calls as the log has them: every id, and what all of them cost. */
async function logged({ accountId }: Customer): Promise<{ ids: Set<string>; credits: number }> {
  const ids = new Set<string>();
  let credits = 0;
  let after = '';
  do {
    const { body } = await service.admin(`/accounts/${accountId}/calls?limit=1000${after}`);
    const page = body as unknown as Page<CallView>;
    for (const call of page.items) {
      ids.add(call.call_id);
      credits += call.credits_used;
    }
    after = page.next === null ? '' : `&after=${page.next}`;
  } while (after !== '');
  return { ids, credits };
}

async function balance({ accountId }: Customer): Promise<number> {
  return Number((await service.admin(`/accounts/${accountId}`)).body.balance);
}

function expectUnavailable(answer: Answer): void {
  expect([answer.status, answer.body.code]).toEqual([503, 'accounting-unavailable']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(answer.body.data).toBeUndefined();
}

/** Every 200 stands in the log once at its price, and nothing else was charged. */
async function expectExact(customer: Customer, answers: readonly Answer[]): Promise<void> {
  const { ids, credits } = await logged(customer);
  const served = answers.filter(({ status }) => status === 200);
  for (const { headers } of served) expect(ids).toContain(headers.get('call-id'));
  const unknown = answers.filter(({ body }) => body.code === 'outcome-unknown').length;
  expect(ids.size).toBeGreaterThanOrEqual(served.length);
  expect(ids.size).toBeLessThanOrEqual(served.length + unknown);
  if (unknown === 0) expect(await balance(customer)).toBe(BALANCE - credits);
}

describe('when accounting is stopped', () => {
  it('nothing is served and nothing charged, and all goes on once it is back', async () => {
    const customer = await service.customer(BALANCE);
    const before = await customer.get(PATH);
    expect(before.status).toBe(200);

    await service.accounting.stop();
    const meanwhile = await customer.get(PATH);
    expectUnavailable(meanwhile);
    expect(await service.api.isReady()).toBe(false);

    await service.restartAccounting();
    await waitFor('the API is ready', () => service.api.isReady(), 15_000);
    const after = await customer.get(PATH);
    expect(after.headers.get('credits-used')).toBe('10');
    await expectExact(customer, [before, meanwhile, after]);
  }, 60_000);

  it('by kill -9 in the middle of calls, every answer stands in the log exactly once', async () => {
    const customer = await service.customer(BALANCE, {
      rate_limit: { per_second: 100_000, burst: 100_000 },
    });
    const answers: Answer[] = [];
    let going = true;
    const callers = Array.from({ length: 8 }, async () => {
      while (going) answers.push(await customer.get(PATH));
    });
    await waitFor('calls are answered', () => answers.length > 50);
    service.accounting.child.kill('SIGKILL');
    await service.accounting.end();
    const killed = answers.length;
    await service.restartAccounting();
    await waitFor(
      'calls are answered again',
      () => answers.slice(killed + 8).some(({ status }) => status === 200),
      20_000,
    );
    going = false;
    await Promise.all(callers);
    expect(new Set(answers.map(({ status }) => status))).not.toContain(500);
    await expectExact(customer, answers);
  }, 90_000);
});

describe('when PostgreSQL is stopped and started', () => {
  it('calls are refused and not charged, and no process needs a restart', async () => {
    const customer = await service.customer(BALANCE);
    const before = await customer.get(PATH);
    await postgres.stop();
    const meanwhile = await customer.get(PATH);
    expectUnavailable(meanwhile);
    postgres = await startPostgres();
    await waitFor(
      'both processes are ready',
      async () => {
        const states = [await service.api.isReady(), await service.accounting.isReady()];
        return states.every(Boolean);
      },
      15_000,
    );
    const after = await customer.get(PATH);
    expect([before, after].map(({ headers }) => headers.get('credits-used'))).toEqual(['35', '10']);
    await expectExact(customer, [before, meanwhile, after]);
  }, 60_000);
});

describe('when somebody stops the embedded PostgreSQL', () => {
  it('it is started again, and calls go on by themselves', async () => {
    const customer = await service.customer(BALANCE);
    const answers = [await customer.get(PATH)];
    const { pid } = postgres;
    process.kill(pid, 'SIGTERM');
    await waitFor('another server runs', () => postgres.pid !== pid, 30_000);
    const goesOn = async (): Promise<boolean> => {
      answers.push(await customer.get(PATH));
      return answers.at(-1)?.status === 200;
    };
    await waitFor('calls go on', goesOn, 15_000);
    for (const each of [service.api, service.accounting]) {
      await waitFor('it is ready', () => each.isReady(), 15_000);
    }
    await expectExact(customer, answers);
  }, 90_000);
});
