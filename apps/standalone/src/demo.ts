import { laneOf, SYSTEM_LANE } from '#event-log/event-log.js';
import { Profiles } from '#projections/texts/profiles.js';
import type { Decider } from '#deciding/submission.js';
import type { Foundations } from '#service/foundations.js';
import { DEMO_ACCOUNT_ID, DEMO_GRANT_ID, demoApiKey, openDemoAccount } from './demo-account.js';
import { loadDemoData } from './demo-data.js';
import { writeDemoHistory } from './demo-history.js';
import { DEMO_SELLER_ID, setDemoSeller } from './demo-invoices.js';

/**
 * The demo belongs on an empty database. Its past is written before anything keeps time here: a
 * timer that ticked its account would bring it to the present in the middle of it.
 *
 * The log says how far a start came that was ended in the middle, and the next one goes on there:
 * the demo's seller is the first of its events, and up to that moment its past goes; its grant is
 * the first event of the demo's present.
 */
export async function writeDemoPast(foundations: Foundations): Promise<void> {
  const { configuration, logger, releases } = foundations;
  if (!configuration.demo || (await demoGrantedAt(foundations)) !== undefined) return;
  let begunAt = await demoBegunAt(foundations);
  if (begunAt === undefined) {
    if (releases.first() !== undefined) return;
    logger.info({}, 'The demo is being loaded: its data, and the past of its account.');
    await setDemoSeller(foundations);
    begunAt = (await demoBegunAt(foundations)) ?? foundations.clock.now();
  } else {
    logger.info({}, 'An earlier start ended while it loaded the demo: this one goes on with it.');
  }
  if (releases.first() === undefined) await loadDemoData(foundations, begunAt);
  await writeDemoHistory(foundations, demoApiKey(configuration.dataDir), begunAt);
  logger.info({}, 'The demo is loaded.');
}

export interface Demo {
  readonly apiKey: string;
  /** When its past had ended. */
  readonly grantedAt: number;
}

/**
 * The account of the demo, which stays where it was opened once, with credits to try the service
 * with; null: there is none.
 */
export async function openDemo(
  foundations: Foundations,
  accounting: Decider,
): Promise<Demo | null> {
  const { configuration, reads, pool, clock } = foundations;
  if (!configuration.demo || (await reads.account(DEMO_ACCOUNT_ID)) === undefined) return null;
  const apiKey = demoApiKey(configuration.dataDir);
  await openDemoAccount({ accounting, profiles: new Profiles(pool), clock }, apiKey);
  return { apiKey, grantedAt: (await demoGrantedAt(foundations)) ?? clock.now() };
}

/** When the demo was begun on this database. */
function demoBegunAt(foundations: Foundations): Promise<number | undefined> {
  return momentOf(foundations, SYSTEM_LANE, DEMO_SELLER_ID);
}

/** When the demo's account had its past behind it. */
function demoGrantedAt(foundations: Foundations): Promise<number | undefined> {
  return momentOf(foundations, laneOf(DEMO_ACCOUNT_ID), DEMO_GRANT_ID);
}

async function momentOf(
  { eventLog }: Foundations,
  lane: number,
  callId: string,
): Promise<number | undefined> {
  const events = await eventLog.findCalls([{ lane, callId }]);
  return events.find((event) => event.callId === callId)?.at;
}
