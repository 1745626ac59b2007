import { LEDGER } from '#projections/projections/ledger.projection.js';
import type { ProjectionThread } from '#projections/projection-thread/projection-thread.js';
import { servicePool, type Foundations } from '#service/foundations.js';
import { readinessOf, writingState, type AskPart } from '#service/readiness-parts.js';
import type { PartState, ReadinessState } from '#web/readiness.js';
import type { Shutdown } from '#web/shutdown.js';
import { decisionPart } from './decision-part.js';
import type { DecisionWatch } from './decision-watch.js';
import type { LiveTerms } from './live-terms.js';

const POLL_MS = 250;
/** An append of nothing costs the database as much as a small one. */
const TRY_MS = 1_000;
/** A database that has not answered by then is away, as far as callers are concerned. */
const ANSWER_MS_MAX = 1_000;

/**
 * Looks again and again whether this process can decide calls, and announces what it finds; the
 * first time before it resolves. Less than `/readyz` asks: a list that cannot be shown keeps nobody
 * from charging.
 */
export async function watchAbility(
  foundations: Foundations,
  needs: {
    readonly prices: Pick<LiveTerms, 'state'>;
    readonly projections: ProjectionThread;
    readonly decisions: DecisionWatch;
  },
  announce: (state: PartState) => void,
  shutdown: Shutdown,
): Promise<void> {
  const { clock, logger } = foundations;
  const { prices, projections, decisions } = needs;
  const parts = {
    clock: () => clock.ready(),
    rate_cards: () => prices.state(),
    ledger: () => ledgerPart(projections),
    database: databasePart(foundations, decisions, shutdown),
  };
  const readiness = readinessOf(parts, logger, ANSWER_MS_MAX);
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const look = async (): Promise<void> => {
    announce(abilityOf(await readiness()));
    if (!isStopped) timer = setTimeout(() => void look(), POLL_MS).unref();
  };
  shutdown.drain('the look at what deciding needs', async () => {
    isStopped = true;
    clearTimeout(timer);
  });
  await look();
}

/** A connection of its own: neither slow reads nor a burst of calls make the database look away. */
function databasePart(
  { databaseUrl, logger }: Foundations,
  watch: DecisionWatch,
  shutdown: Shutdown,
): AskPart {
  const limits = { connections: 1, timeoutMs: ANSWER_MS_MAX };
  const pool = servicePool(databaseUrl, 'ability', limits, logger, shutdown);
  const decisions = decisionPart(pool, watch);
  let triedAt = -Infinity;
  return async () => {
    const writing = await writingState(pool);
    if (!writing.ready) return writing;
    if (!watch.isStuck && performance.now() - triedAt < TRY_MS) return { ready: true };
    triedAt = -Infinity;
    const state = await decisions();
    // What it refuses is tried again at once.
    if (state.ready) triedAt = performance.now();
    return state;
  };
}

/** Rows of another version are no ledger to decide by. */
function ledgerPart(projections: Pick<ProjectionThread, 'status'>): PartState {
  const ledger = projections.status().find(({ name }) => name === LEDGER);
  if (ledger?.state !== 'outdated') return { ready: true };
  return { ready: false, detail: 'another version has rebuilt its rows' };
}

/** All parts as one sentence for the log of an API process. */
export function abilityOf({ ready, parts }: ReadinessState): PartState {
  if (ready) return { ready };
  const broken = Object.entries(parts).filter(([, part]) => !part.ready);
  const detail = broken.map(([name, part]) => `${name}: ${part.detail ?? 'not ready'}`).join('; ');
  return { ready, detail };
}
