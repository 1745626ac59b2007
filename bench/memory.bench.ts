import { setTimeout as delay } from 'node:timers/promises';
import { Calendar } from '#calendar/calendar.js';
import { RemoteCharging } from '#charging-link/remote-charging.js';
import { CallIds } from '../apps/api/src/meter/call-ids.js';
import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { unnamedCharge } from './charge-request.js';
import { filledAccountId } from './fill/filled-account.js';
import { fillLog } from './fill/filled-log.js';
import type { FillPlan } from './fill/fill-plan.js';
import { inParallel } from './in-parallel.js';
import { residentMemory } from './resident-memory.js';
import { CHARGING_SECRET, startAccountingProcess } from './servers.js';
import { settled } from './load/settled.js';
import type { Stage } from './stage.js';

const KEYS = 1_000_000;
const ONE_MB_MAX = 500;
const MANY_MB_MAX = 400;
const AT_ONCE = 1_000;
const NOT_AFTER_MS = 60_000;
const CONNECT_POLL_MS = 20;

/** Each account has opened its keys in the running window, one call for each. */
function planOf(accounts: number, keys: number): FillPlan {
  const zone = 'UTC';
  const to = Date.now();
  const { startsAt: from } = new Calendar(zone).windowAt(to);
  return { accounts, calls: keys, keys, from, to, zone };
}

/** Calls every key once more, as an API process does. */
async function touchAll(stage: Stage, chargingUrl: string, plan: FillPlan): Promise<void> {
  const { label: window } = new Calendar(plan.zone).windowAt(plan.to);
  const charging = new RemoteCharging({
    urls: [chargingUrl],
    secret: CHARGING_SECRET,
    clock: { now: () => Date.now() },
    onFault: (error) => stage.report(String(error)),
  });
  stage.shutdown.stop('charging', () => charging.close());
  const callIds = new CallIds(() => Date.now());
  while (!charging.ready()) await delay(CONNECT_POLL_MS);
  let made = 0;
  const next = (): number | undefined =>
    made < plan.accounts * plan.keys ? (made += 1) - 1 : undefined;
  await inParallel(AT_ONCE, next, async (call) => {
    // One account after the other: all of them at once would be loaded in a few questions.
    const accountId = filledAccountId(Math.floor(call / plan.keys));
    const charge = unnamedCharge(call % plan.keys, window);
    const notAfter = Date.now() + NOT_AFTER_MS;
    const callId = callIds.next(accountId, null);
    const request = { callId, accountId, notAfter, ...charge };
    const outcome = await charging.charge(request);
    const isRepeat = outcome.outcome === 'charged' && outcome.charged.call.kind === 'repeat';
    if (!isRepeat) throw new Error(`No repeated call: ${JSON.stringify(outcome)}`);
  });
  await charging.close();
}

async function measure(stage: Stage, figures: Measurements, name: string, plan: FillPlan) {
  const database = await stage.database();
  stage.report(`${name}: filling ${plan.accounts * plan.keys} keys`);
  await fillLog(database.url, plan);
  const { process, chargingUrl } = await startAccountingProcess(stage, database);
  const idle = residentMemory(process.pid);
  stage.report(`${name}: calling every key`);
  await touchAll(stage, chargingUrl, plan);
  await settled(stage.pool(database.url, 1));
  const touched = residentMemory(process.pid);
  if (idle === undefined || touched === undefined) {
    throw new Error('This system does not report the memory of a process.');
  }
  figures.add(`${name}, all touched`, 'MB', touched.now, {
    atMost: plan.accounts === 1 ? ONE_MB_MAX : MANY_MB_MAX,
  });
  figures.add(`${name}, at most`, 'MB', touched.most);
  figures.add(`${name}, before the first call`, 'MB', idle.now);
  await process.stop();
  await database.stop();
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const keys = stage.options.events ?? KEYS;
  const accounts = Math.ceil(Math.sqrt(keys));
  const figures = new Measurements();
  await measure(stage, figures, 'many accounts', planOf(accounts, Math.ceil(keys / accounts)));
  await measure(stage, figures, 'one account', planOf(1, keys));
  return figures.series();
}

export const memoryBenchmark: Benchmark = {
  name: 'memory',
  about: 'resident memory of an accounting process after calls of a million keys opened before',
  run,
};
