import { RATE_CARD_1 } from '#rating/rate-card.js';
import { latestPath, resourceKey } from '#rating/resource-key.js';
import { parseResourcePath } from '#rating/resource-path.js';
import type { Resource } from '#rating/resource.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Window } from '#calendar/window.js';
import { demoTree } from '#popularity/demo/tree.js';
import { GLOBAL, mainRegion, REGIONS } from '#popularity/regions.js';
import { Random } from '#popularity/demo/random.js';
import type { Release } from '#popularity/releases.js';
import { AccountLoader } from '#projections/loading/account-loader.js';
import type { Foundations } from '#service/foundations.js';
import { Profiles } from '#projections/texts/profiles.js';
import type { Clock } from '#calendar/clock.js';
import { Accounting } from '#deciding/accounting.js';
import { DEMO_ACCOUNT_ID, DemoAccount, hashOf, idOf } from './demo-account.js';

/** Months before the running one that the demo account has been a customer. */
const MONTHS = 3;
/** The account's purchase at the start of each month, and the limit of its budget. */
const PURCHASE = { credits: 300_000, price: 36_000 };
const BUDGET_CREDITS = 250_000;
/** API keys, by ordinal. */
const ANALYSTS = 1;
const JOB = 2;
const FIRST_RELEASE = 'r1';
/** The tutorial's call: left out of the running window, so that its first call is a base still. */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** After the start of a window, or before now where that is nearer. */
const REFRESHED_AFTER_MS = 5 * MINUTE_MS;

/** A resource with data, as the demo's customers ask for it week by week. */
interface WatchedResource {
  readonly resource: Resource;
  readonly rows: number;
  readonly tags: Readonly<Record<string, string>>;
}

/** Calls of one API key (an ordinal) that come in one moment. */
interface Visit {
  readonly at: number;
  readonly apiKey: number;
  readonly watched: readonly WatchedResource[];
}

/** Three months before the running one, its first instant. */
function startOfPast({ calendar }: Foundations, endedAt: number): number {
  let month = calendar.monthAt(endedAt);
  for (let back = 0; back < MONTHS; back += 1) month = calendar.monthAt(month.startsAt - 1);
  return month.startsAt;
}

/**
 * Paths that the customer calls: listings, time series and related trends of skincare and makeup.
 */
async function watchList(
  { releases }: Foundations,
  release: Release,
): Promise<readonly WatchedResource[]> {
  const watched: WatchedResource[] = [];
  for (const [path, tags] of paths()) {
    const parsed = parseResourcePath(path);
    if (parsed.outcome !== 'resource') throw new Error(`${path} is no path of the demo.`);
    const found = await releases.answer(release, parsed.resource);
    if (found.outcome !== 'found') continue;
    watched.push({ resource: parsed.resource, rows: found.answer.rows, tags });
  }
  return watched;
}

function tutorialPath(): string {
  return `/v1/latest/cat2/trends/all/popindex/${mainRegion()}/skincare`;
}

function* paths(): Generator<[path: string, tags: Readonly<Record<string, string>>]> {
  const main = mainRegion();
  const second = REGIONS.find((code) => code !== main && code !== GLOBAL) ?? main;
  const regions = REGIONS.filter((code) => [main, second, GLOBAL].includes(code));
  const tree = demoTree();
  const trends = { team: 'trends', project: 'weekly-report' };
  yield [tutorialPath(), trends];
  for (const region of regions) {
    for (const slug of ['skincare', 'makeup', 'sun-care']) {
      yield [`/v1/latest/cat2/trends/top100/popindex/${region}/${slug}`, trends];
      yield [`/v1/latest/cat2/brands/top5/popindex/${region}/${slug}`, trends];
    }
  }
  const ingredients = tree.filter(({ level, group }) => level === 5 && group === 'ingredients');
  for (const [index, { id }] of ingredients.entries()) {
    if (index % 4 > 0) continue;
    yield [`/v1/latest/cat5/timeseries/popindex/${main}/${id}`, { team: 'ingredients' }];
    if (index % 8 > 0) continue;
    yield [`/v1/latest/cat5/timeseries/popindex/${second}/${id}`, { team: 'ingredients' }];
  }
  for (const { id, level } of tree) {
    if (level !== 4) continue;
    const tags = { team: 'product', project: 'launches' };
    yield [`/v1/latest/cat4/related-trends/top5/popindex/${main}/${id}/ingredients`, tags];
  }
}

/**
 * The visits of a window: a job that refreshes most of it as it begins and the most important every
 * morning, and analysts in the daytime, fewer at weekends. The running window, too, has visits
 * before now.
 */
function visitsIn(
  { startsAt, endsAt }: Window,
  now: number,
  all: readonly WatchedResource[],
  calendar: Calendar,
  random: Random,
): Visit[] {
  const visits: Visit[] = [];
  const refreshed = random.pick(all, random.between(Math.ceil(all.length / 2), all.length));
  const important = refreshed.filter((_, index) => index % 4 === 0);
  const refreshedAt = Math.min(startsAt + REFRESHED_AFTER_MS, Math.floor((startsAt + now) / 2));
  let day = calendar.dayAt(startsAt);
  for (let n = 0; day.startsAt < endsAt; n += 1, day = calendar.dayAt(day.endsAt)) {
    visits.push(
      n === 0
        ? { at: refreshedAt, apiKey: JOB, watched: refreshed }
        : { at: day.startsAt + 6 * HOUR_MS, apiKey: JOB, watched: important },
    );
    const isWeekend = n === 4 || n === 5;
    for (let hour = 9; hour < 18; hour += 3) {
      if (random.chance(isWeekend ? 85 : 25)) continue;
      const at = day.startsAt + hour * HOUR_MS + random.between(0, 90) * MINUTE_MS;
      visits.push({ at, apiKey: ANALYSTS, watched: random.pick(all, random.between(2, 8)) });
    }
  }
  return visits;
}

/** Everything that was called from a moment up to now, in the order of time. */
async function visitsSince(
  foundations: Foundations,
  from: number,
  now: number,
): Promise<readonly Visit[]> {
  const { calendar, releases } = foundations;
  const release = releases.first();
  if (release === undefined) throw new Error('The demo data were not loaded.');
  const all = await watchList(foundations, release);
  const random = new Random('popindex demo history');
  const visits: Visit[] = [];
  for (let window = calendar.windowAt(from); window.startsAt < now;) {
    const visited = visitsIn(window, now, all, calendar, random);
    visits.push(...(window.endsAt > now ? visited.map(withoutTutorial) : visited));
    window = calendar.nextWindow(window);
  }
  return visits.filter(({ at }) => at > from && at < now);
}

function withoutTutorial(visit: Visit): Visit {
  const isOther = ({ resource }: WatchedResource): boolean =>
    latestPath(resource) !== tutorialPath();
  return { ...visit, watched: visit.watched.filter(isOther) };
}

function call(
  account: DemoAccount,
  { at, apiKey }: Visit,
  { resource, rows, tags }: WatchedResource,
  index: number,
  window: string,
): Promise<void> {
  const callId = idOf(`call ${at} ${apiKey} ${index}`);
  const request = {
    callId,
    accountId: DEMO_ACCOUNT_ID,
    apiKey,
    key: resourceKey(resource, window),
    asked: latestPath(resource),
    resource,
    rows,
    window,
    release: FIRST_RELEASE,
    maxCredits: null,
    tags,
    isRetry: false,
    notAfter: at + HOUR_MS,
  };
  return account.decide(callId, { command: 'make-call', request }, true);
}

/**
 * Makes the demo account's past: a customer for three months who buys credits, gets alerts of a
 * budget and calls week by week up to `endedAt`, each call decided as it would have been at its
 * moment. What is in the log already is not made again, so that it goes on where it was ended.
 * Throws the first fault of the log.
 */
export async function writeDemoHistory(
  foundations: Foundations,
  apiKey: string,
  endedAt: number,
): Promise<void> {
  const { eventLog, pool } = foundations;
  const past = new PastClock(startOfPast(foundations, endedAt) + 9 * HOUR_MS);
  const terms = { calendar: foundations.calendar, cards: [RATE_CARD_1] };
  // Time does not go by in the past: what waits for a log that is away would wait for ever.
  let fail: (fault: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  const accounting = new Accounting({
    log: eventLog,
    loader: new AccountLoader(pool),
    clock: past,
    terms: () => terms,
    events: { onFault: (fault) => fail(fault) },
  });
  const account = new DemoAccount({ accounting, profiles: new Profiles(pool), clock: past });
  await Promise.race([failed, liveThrough(foundations, account, apiKey, past, endedAt)]);
  await accounting.stop();
}

/** Stands still until the next moment of the past. */
class PastClock implements Clock {
  constructor(public at: number) {}

  now(): number {
    return this.at;
  }
}

async function liveThrough(
  foundations: Foundations,
  account: DemoAccount,
  apiKey: string,
  past: PastClock,
  endedAt: number,
): Promise<void> {
  const { calendar } = foundations;
  await account.begin(apiKey);
  // Nobody ever has this key: what the job did is past.
  await account.issueKey('Nightly job', hashOf(idOf('nightly job')).toString('hex'), '····');
  await account.setBudget(BUDGET_CREDITS);
  let paid = '';
  for (const visit of await visitsSince(foundations, past.now(), endedAt)) {
    past.at = visit.at;
    const window = calendar.windowAt(visit.at).label;
    const month = calendar.monthAt(visit.at).label;
    if (month !== paid)
      await account.grant(`purchase ${month}`, PURCHASE.credits, PURCHASE.price, month);
    paid = month;
    await Promise.all(visit.watched.map((watched, n) => call(account, visit, watched, n, window)));
  }
}
