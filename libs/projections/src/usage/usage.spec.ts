import { USAGE_DIMENSIONS, type UsageDimension } from '../views/usage-dimension.js';
import fc from 'fast-check';
import { allBeauty, callAt, DAY, HOUR } from '#account/scenario.suite.js';
import { openDatabase } from '#database/database.js';
import { resourceKey } from '#rating/resource-key.js';

import type { Page, UsageFilter, UsageView } from '../views/account-reads.js';
import type { Writer } from '../reads/ledger-scene.suite.js';
import { PostgresAccountReads } from '../reads/postgres-account-reads.js';
import { WINDOWS_VERSION } from '../projections/windows.projection.js';
import {
  ALL,
  call,
  caller,
  match,
  scene,
  shown,
  START,
  steps,
  summed,
  useScene,
} from './usage-sums.suite.js';

useScene();

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
      fc.record({
        by: fc.subarray([...USAGE_DIMENSIONS, 'tag:team' as const, 'tag:project' as const]),
        from: bound,
        to: bound,
        match,
      }),
      { minLength: 1, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(steps, asked, async (made, queries) => {
        const writer = await caller();
        const now = await call(writer, made);
        for (const { by, from, to, match: wanted } of queries) {
          const filter = {
            ...ALL,
            by,
            match: wanted,
            from: momentOf(from),
            to: momentOf(to),
            limit: 3,
          };
          const items = await everything(now, writer, filter);
          expect(shown(items, by)).toEqual(await summed(writer, filter));
          expect(Object.keys(shown(items, by))).toHaveLength(items.length);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('the sums of any grouping add up to the sums of the calls, whatever tags calls have', async () => {
    const added = (items: readonly UsageView[]) =>
      items.reduce(
        (sum, { calls, credits_used }) => [sum[0] + calls, sum[1] + credits_used] as const,
        [0, 0] as readonly [calls: number, credits: number],
      );
    const grouped = fc.subarray([...USAGE_DIMENSIONS, 'tag:team' as const, 'tag:none' as const]);
    await fc.assert(
      fc.asyncProperty(steps, grouped, match, async (made, by, wanted) => {
        const writer = await caller();
        const now = await call(writer, made);
        const filter: UsageFilter = { ...ALL, match: wanted, limit: 3 };
        const [all] = await everything(now, writer, filter);
        const sums = await everything(now, writer, { ...filter, by });
        expect(added(sums)).toEqual([all?.calls, all?.credits_used]);
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
    await scene.pool.query('update day_usage set calls[1] = 99');
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
    const hasty = openDatabase({ url, applicationName: 'usage-spec', statementTimeoutMs: 1_000 });
    const reads = new PostgresAccountReads(hasty, scene.calendar, { now: () => START + HOUR });
    const client = await scene.pool.connect();
    await client.query('begin');
    await client.query('lock table day_usage in access exclusive mode');
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
