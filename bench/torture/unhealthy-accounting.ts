import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Attempt, Journal } from './journal.js';
import type { SeededRandom } from './seeded.js';
import type { Site } from './site.js';
import type { SupervisedProcess } from './supervised.js';

export interface UnhealthyParts {
  readonly site: Site;
  readonly random: SeededRandom;
  readonly journal: Journal;
}

export interface UnhealthyAccounting {
  readonly kind: `unhealthy accounting: ${Illness}`;
  readonly detail: string;
  readonly run: () => Promise<void>;
}

export const ILLNESSES = ['no database', 'clock'] as const;

type Illness = (typeof ILLNESSES)[number];

/** Time that the service has to notice. */
const NOTICED_MS = 2_000;
const SERVED_LEAST = 0.99;
const CLOCK_OFF_MS = 10_000;

/**
 * One of two accounting processes cannot decide, while both are connected: after 2 s the other one
 * serves all. No other fault may lie beside it.
 */
export function unhealthyAccounting({
  site,
  random,
  journal,
}: UnhealthyParts): UnhealthyAccounting {
  const illness = random.pick(ILLNESSES);
  const victim = random.pick(site.accountings);
  const ms = random.between(5_000, 9_000);
  const off = random.pick([-CLOCK_OFF_MS, CLOCK_OFF_MS]);
  return {
    kind: `unhealthy accounting: ${illness}`,
    detail: `${victim.name} ${ms} ms`,
    run: async () => {
      const heal = illness === 'clock' ? await setClock(victim, off) : loseDatabase(site, victim);
      const from = performance.now() + NOTICED_MS;
      await delay(ms);
      const until = performance.now();
      await heal();
      judge(journal, from, until, `${illness} of ${victim.name}`);
    },
  };
}

async function setClock({ plan }: SupervisedProcess, ms: number): Promise<() => Promise<void>> {
  const shift = (by: number): Promise<void> => writeFile(plan.clockFile, String(by));
  await shift(ms);
  return () => shift(0);
}

function loseDatabase({ links }: Site, victim: SupervisedProcess): () => Promise<void> {
  const own = links.filter(({ name }) => name.startsWith(`${victim.name}→postgres`));
  for (const { proxy } of own) proxy.refuse();
  return async () => {
    for (const { proxy } of own) proxy.heal();
  };
}

function judge(journal: Journal, from: number, until: number, what: string): void {
  const attempts = journal.calls
    .flatMap((call) => call.attempts)
    .filter(({ got, sentAt, endedAt }) => got !== 'left' && sentAt >= from && endedAt <= until);
  if (attempts.length === 0) return;
  const share = attempts.filter(isServed).length / attempts.length;
  journal.measure('unserved beside an unhealthy process, per mille', (1 - share) * 1_000);
  if (share >= SERVED_LEAST) return;
  const unserved = attempts.filter((attempt) => !isServed(attempt));
  const text = `${unserved.length} of ${attempts.length} calls were not served: ${what}.`;
  const rule = 'a healthy accounting process serves all';
  journal.violation(rule, text, JSON.stringify(unserved.slice(0, 5)));
}

function isServed({ got, status }: Attempt): boolean {
  return got === 'answer' && status < 500;
}
