import fc from 'fast-check';
import type { CallMade } from '#account/events.js';
import { windowOfCall } from '#account/evolve-call.js';
import { allBeauty, callAt, DAY, HOUR, issueApiKey } from '#account/scenario.suite.js';
import { openDatabase } from '#database/database.js';
import { parseResourcePath, resourceKey } from '#rating/resource-path.js';
import type { Resource } from '#rating/resource.js';
import { USAGE_DIMENSIONS } from '../views/account-reads.js';
import type { Page, UsageDimension, UsageFilter, UsageView } from '../views/account-reads.js';
import { LedgerScene, type Writer } from '../reads/ledger-scene.suite.js';
import { PostgresAccountReads } from '../reads/postgres-account-reads.js';
import { callsAmong, type StoredCall } from '../projections/stored-calls.js';
import { WINDOWS_VERSION } from '../projections/windows.projection.js';

/** Two days before the clocks of Berlin are put back; a Friday in 2026w43. */
const START = Date.UTC(2026, 9, 23, 20);
const ITEM = '0197c000-0000-4000-8000-00000000000a';

const ALL: UsageFilter = { by: [], from: null, to: null, after: null, limit: 1_000, asOf: null };

const RESOURCES: readonly Resource[] = [
  { ...allBeauty, limit: 'top5' },
  { ...allBeauty, region: 'fr' },
  { ...allBeauty, resource: 'brands', limit: 'top100', region: 'global' },
  { resource: 'timeseries', type: 'brand', region: 'kr', item: ITEM },
  {
    resource: 'related-trends',
    level: 'cat1',
    limit: 'top5',
    region: 'jp',
    category: ITEM,
    group: 'popindex',
  },
];
const TAGS: readonly (Readonly<Record<string, string>> | null)[] = [
  null,
  { team: 'nails' },
  { team: 'nails', project: '=autumn 1.0' },
];

let scene: LedgerScene;
beforeAll(async () => {
  scene = await LedgerScene.open('Europe/Berlin');
});
afterAll(() => scene.close());

interface Step {
  readonly minutes: number;
  readonly resource: number;
  readonly tags: number;
  readonly apiKey: number;
  readonly thenProject: boolean;
}

const steps = fc.array(
  fc.record<Step>({
    minutes: fc.integer({ min: 0, max: 3_000 }),
    resource: fc.nat(RESOURCES.length - 1),
    tags: fc.nat(TAGS.length - 1),
    apiKey: fc.integer({ min: 1, max: 2 }),
    thenProject: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Makes calls; answers the moment of the last. */
async function call(writer: Writer, made: readonly Step[]): Promise<number> {
  let at = START;
  for (const { minutes, resource, tags, apiKey, thenProject } of made) {
    at += minutes * 60_000;
    const asked = RESOURCES[resource] ?? allBeauty;
    const window = scene.calendar.windowAt(at).label;
    const key = resourceKey(asked, window);
    const request = { resource: asked, window, key, asked: key, apiKey, tags: TAGS[tags] ?? null };
    await writer.write(at, callAt(at, request));
    if (thenProject) await scene.project(writer.id);
  }
  return at;
}

async function caller(): Promise<Writer> {
  const writer = await scene.writer().open(START);
  const other = { keyId: 'key-2', hash: writer.hash.replace(/^0/, 'f') };
  await writer.write(START, issueApiKey(other));
  return writer;
}

/** The groups of one call: one for each of its tags. */
function placesOf({ at, call: made }: StoredCall, by: readonly UsageDimension[]): string[] {
  const parsed = parseResourcePath(made.key);
  if (parsed.outcome !== 'resource') throw new Error(made.key);
  const tags = Object.entries(made.tags ?? {}).map(([name, value]) => `${name}=${value}`);
  const isByTag = by.includes('tag') && tags.length > 0;
  return (isByTag ? tags : [null]).map((tag) =>
    JSON.stringify(by.map((name) => dimension(name, at, made, parsed.resource, tag))),
  );
}

function dimension(
  name: UsageDimension,
  at: number,
  made: CallMade,
  resource: Resource,
  tag: string | null,
): string | null {
  switch (name) {
    case 'day':
      return scene.calendar.dayAt(at).label;
    case 'month':
      return scene.calendar.monthAt(at).label;
    case 'window':
      return windowOfCall(made);
    case 'resource':
      return resource.resource;
    case 'region':
      return resource.region;
    case 'api_key':
      return `key-${made.api_key}`;
    case 'tag':
      return tag;
    case 'rule':
    case 'kind':
    case 'key':
      return made[name];
  }
}

/** The same sums, made of the whole log in the plainest way. */
async function summed(writer: Writer, { by, from, to, asOf }: UsageFilter): Promise<object> {
  const sums = new Map<string, { calls: number; call_cost: number; data_cost: number }>();
  if (by.length === 0) sums.set('[]', { calls: 0, call_cost: 0, data_cost: 0 });
  for (const stored of callsAmong(await writer.history())) {
    const { at, call: made } = stored;
    if (at < (from ?? 0) || at >= (to ?? Infinity) || at > (asOf ?? Infinity)) continue;
    for (const place of placesOf(stored, by)) {
      const sum = sums.get(place) ?? { calls: 0, call_cost: 0, data_cost: 0 };
      sum.calls += 1;
      sum.call_cost += made.cost[0];
      sum.data_cost += made.cost[1];
      sums.set(place, sum);
    }
  }
  return Object.fromEntries(sums);
}

function shown(items: readonly UsageView[], by: readonly UsageDimension[]): object {
  return Object.fromEntries(
    items.map(({ calls, call_cost, data_cost, credits_used, ...place }) => {
      expect(credits_used).toBe(call_cost + data_cost);
      expect(Object.keys(place)).toEqual([...by]);
      return [JSON.stringify(by.map((name) => place[name])), { calls, call_cost, data_cost }];
    }),
  );
}

/** All pages, which hold no place twice, in order. */
async function everything(now: number, writer: Writer, filter: UsageFilter): Promise<UsageView[]> {
  const items: UsageView[] = [];
  let page: Page<UsageView> | undefined;
  do {
    const after: string | null = page?.next ?? null;
    page = await scene.reads(now).usage(writer.id, { ...filter, after });
    items.push(...(page?.items ?? []));
  } while (page?.next);
  return items;
}

const bound = fc.option(
  fc.record({
    days: fc.integer({ min: -2, max: 20 }),
    millis: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: DAY })),
  }),
);
type Bound = { readonly days: number; readonly millis: number } | null;

/** Many bounds are the start of a day. */
function momentOf(chosen: Bound): number | null {
  if (chosen === null) return null;
  return scene.calendar.dayAt(START + chosen.days * DAY).startsAt + chosen.millis;
}

describe('whatever has been projected already', () => {
  it('usage by anything, between any bounds, is the sum of the calls in the log', async () => {
    const asked = fc.array(
      fc.record({ by: fc.subarray([...USAGE_DIMENSIONS]), from: bound, to: bound }),
      { minLength: 1, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(steps, asked, async (made, queries) => {
        const writer = await caller();
        const now = await call(writer, made);
        for (const { by, from, to } of queries) {
          const filter = { ...ALL, by, from: momentOf(from), to: momentOf(to), limit: 3 };
          const items = await everything(now, writer, filter);
          expect(shown(items, by)).toEqual(await summed(writer, filter));
          expect(Object.keys(shown(items, by))).toHaveLength(items.length);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('usage as of any moment knows nothing that came after it', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.double({ min: 0, max: 1, noNaN: true }), async (made, part) => {
        const writer = await caller();
        const now = await call(writer, made);
        const asOf = START + Math.floor((now - START) * part);
        const filter: UsageFilter = { ...ALL, by: ['day', 'resource'], asOf };
        const items = await everything(now, writer, filter);
        expect(shown(items, filter.by)).toEqual(await summed(writer, filter));
      }),
      { numRuns: 25 },
    );
  });
});

describe('a day', () => {
  it('is one of the billing zone, also where the clocks are put back', async () => {
    const writer = await caller();
    const midnight = Date.UTC(2026, 9, 25, 23);
    const moments = [midnight - 25 * HOUR - 1, midnight - 25 * HOUR, midnight - 1, midnight];
    for (const at of moments) {
      const window = scene.calendar.windowAt(at).label;
      await writer.write(at, callAt(at, { window, key: resourceKey(allBeauty, window) }));
    }
    await scene.project(writer.id);
    const page = await scene.reads(midnight).usage(writer.id, { ...ALL, by: ['day'] });
    expect(page?.items.map(({ day, calls }) => [day, calls])).toEqual([
      ['2026-10-24', 1],
      ['2026-10-25', 2],
      ['2026-10-26', 1],
    ]);
  });
});

describe('sums', () => {
  it('without anything to group by are one, also of no calls', async () => {
    const writer = await caller();
    const none = { calls: 0, call_cost: 0, data_cost: 0, credits_used: 0 };
    const now = START + HOUR;
    expect(await scene.reads(now).usage(writer.id, ALL)).toEqual({ items: [none], next: null });
    const by: UsageDimension[] = ['key'];
    expect(await scene.reads(now).usage(writer.id, { ...ALL, by })).toEqual({
      items: [],
      next: null,
    });
  });

  it('are made of the log alone while rows of another version are being rebuilt', async () => {
    const writer = await caller();
    const made = [0, 1, 2].map((resource) => {
      return { minutes: 900, resource, tags: 0, apiKey: 1, thenProject: true };
    });
    const now = await call(writer, made);
    await scene.pool.query(`update checkpoint set version = 1 where projection = 'windows'`);
    await scene.pool.query('update usage_day set calls = 99');
    const [total] = await everything(now, writer, ALL);
    const windows = await scene.reads(now).windows(writer.id, {
      window: '2026w43',
      after: null,
      limit: 9,
      asOf: null,
    });
    await scene.pool.query(
      `update checkpoint set version = ${WINDOWS_VERSION} where projection = 'windows'`,
    );
    expect(total?.calls).toBe(3);
    expect(windows?.items.map(({ calls }) => calls)).toEqual([1, 1, 1]);
  });

  it('that a statement has no time for are reported as too many', async () => {
    const writer = await caller();
    await call(writer, [{ minutes: 1, resource: 0, tags: 0, apiKey: 1, thenProject: true }]);
    const { url } = scene;
    const hasty = openDatabase({ url, applicationName: 'usage-spec', statementTimeoutMs: 100 });
    const reads = new PostgresAccountReads(hasty, scene.calendar, { now: () => START + HOUR });
    const client = await scene.pool.connect();
    await client.query('begin');
    await client.query('lock table usage_day in access exclusive mode');
    await expect(reads.usage(writer.id, ALL)).rejects.toMatchObject({ name: 'UsageTimeoutError' });
    await client.query('rollback');
    client.release();
    expect((await reads.usage(writer.id, ALL))?.items).toMatchObject([{ calls: 1 }]);
    await hasty.end();
  });

  it.each(['zzz', 'WyJ1c2FnZSBieSBkYXkiXQ', 'W10', 'WyJ1c2FnZSBieSBrZXkiLCJhXHUwMDAwIl0'])(
    'go on after no cursor of another list (%s)',
    async (after) => {
      const writer = await caller();
      const filter: UsageFilter = { ...ALL, by: ['key'], after };
      await expect(scene.reads(START).usage(writer.id, filter)).rejects.toMatchObject({
        name: 'BadCursorError',
        cursor: after,
      });
    },
  );
});
