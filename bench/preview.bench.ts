import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Calendar } from '#calendar/calendar.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import { previewRateCard } from '#rest/rate-cards/rate-card-preview.js';
import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { fillLog } from './fill/filled-log.js';
import type { Stage } from './stage.js';
import { recordTimed, timed } from './timed.js';

const CALLS = 1_000_000;
const CALLS_OF_ACCOUNT = 1_000;
/** In each of the five weeks that a month touches: one call of ten is a first one. */
const KEYS = 20;
/** As many as the pool of reads of a process has. */
const CONNECTIONS = 6;
const NANOSECONDS_PER_MS = 1_000_000;
const BYTES_PER_MB = 1_000_000;
const MEMORY_SAMPLE_MS = 20;
const NEVER = new AbortController().signal;

const dearer = { ...RATE_CARD_1, call_cost: 12 };

/** How far the resident memory of this process grows above its start, in MB, while work goes on. */
async function growthDuring(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, MEMORY_SAMPLE_MS);
  try {
    await work();
  } finally {
    clearInterval(sampling);
  }
  return (most - before) / BYTES_PER_MB;
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const { url, pid } = await stage.database();
  const calendar = new Calendar('UTC');
  const month = calendar.monthAt(calendar.monthAt(Date.now()).startsAt - 1);
  const accounts = Math.ceil((stage.options.events ?? CALLS) / CALLS_OF_ACCOUNT);
  const span = { from: month.startsAt, to: month.endsAt };
  const plan = { accounts, calls: CALLS_OF_ACCOUNT, keys: KEYS, ...span, zone: calendar.zone };
  stage.report('filling the log');
  await fillLog(url, plan);
  const pool = stage.pool(url, CONNECTIONS);
  const scope = { ...span, accountId: null, test: false };
  const expected = accounts * CALLS_OF_ACCOUNT;
  const figures = new Measurements();
  // The first round is for the compilers.
  for (let round = 0; round <= stage.options.rounds; round += 1) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    let growth = 0;
    delay.enable();
    const figure = await timed(expected, pid, async () => {
      growth = await growthDuring(async () => {
        const { total } = await previewRateCard(pool, dearer, scope, NEVER);
        if (total.calls !== expected) throw new Error(`The preview found ${total.calls} calls.`);
      });
    });
    delay.disable();
    stage.report(`${Math.round(figure.perSecond)} calls/s`);
    if (round === 0) continue;
    recordTimed(figures, 'preview of a month', 'call', figure, { atLeast: 70_000 });
    const blockedMs = delay.max / NANOSECONDS_PER_MS;
    figures.add('longest turn of the event loop', 'ms', blockedMs, { atMost: 20 });
    figures.add('memory above the start', 'MB', growth);
  }
  figures.add('calls of the month', 'calls', expected);
  return figures.series();
}

export const previewBenchmark: Benchmark = {
  name: 'preview',
  about: 'what a month of calls would have cost by another rate card',
  run,
};
