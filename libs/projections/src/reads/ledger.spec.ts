import fc from 'fast-check';
import { allBeauty, callAt, DAY, revokeApiKey, terms, TUESDAY } from '#account/scenario.suite.js';
import type { AccountState } from '#account/state.js';
import { laneOf, LogUnavailableError } from '#event-log/event-log.js';
import { ROW_EVENTS } from '#event-log/events-row.js';
import { resourceKey } from '#rating/resource-key.js';
import { AccountLoader } from '../loading/account-loader.js';
import type { CallFilter } from '../views/account-reads.js';
import { follow, readEvent, unopened } from '../snapshots/account-tail.js';
import { readApiKeys } from '../usage/api-keys.js';
import { ledgerScene, type Writer } from './ledger-scene.suite.js';
import { PostgresKeyDirectory } from '../loading/postgres-key-directory.js';
import { storedCall } from '../projections/stored-calls.js';
import { UsageSums } from '../projections/usage-sums.js';

const ALL: CallFilter = {
  after: null,
  limit: 1_000,
  order: 'asc',
  from: null,
  to: null,
  resourceKey: null,
  resource: null,
  region: null,
  rule: null,
  kind: null,
  apiKeyId: null,
  tag: null,
};

const scene = ledgerScene();

const project = (accountId: string): Promise<void> => scene.project(accountId);

function comparable({ opened, ...state }: AccountState): object {
  return { ...state, opened: [...opened].toSorted() };
}

/** The keys of a window, the dearest first, read two at a time. */
async function dearestFirst(accountId: string, at: number, window: string): Promise<string[]> {
  const keys: string[] = [];
  let after: string | null = null;
  do {
    const asked = { window, after, limit: 2, asOf: null, order: 'credits' } as const;
    const page = await scene.reads(at).windows(accountId, asked);
    keys.push(...(page?.items ?? []).map(({ key }) => key));
    after = page?.next ?? null;
  } while (after !== null);
  return keys;
}

const call = fc.record({
  days: fc.integer({ min: 0, max: 3 }),
  region: fc.constantFrom('us' as const, 'fr' as const, 'gb' as const),
  limit: fc.constantFrom('top5' as const, 'all' as const),
  thenProject: fc.boolean(),
});

test('an account is loaded with all events after its row, also where one row does not hold them', async () => {
  const writer = await scene.writer().open();
  for (let made = 0; made < 2 * ROW_EVENTS; made += 1) writer.decide(TUESDAY, callAt(TUESDAY));
  await writer.flush();
  const { accounts } = await new AccountLoader(scene.pool).load([writer.id]);
  const history = await writer.history();
  expect(history.length).toBeGreaterThan(2 * ROW_EVENTS);
  expect(accounts.get(writer.id)?.head).toBe(history.reduce(follow, unopened).head);
});

describe('whatever has been projected already', () => {
  it('an account knows a key that was opened before its window began', async () => {
    const writer = await scene.writer().open();
    const later = TUESDAY + 7 * DAY;
    const key = resourceKey(allBeauty, terms.calendar.windowAt(later).label);
    await writer.write(TUESDAY, callAt(TUESDAY, { key }));
    await project(writer.id);
    await writer.write(later, callAt(later, { resource: { ...allBeauty, region: 'fr' } }));
    const { accounts } = await new AccountLoader(scene.pool).load([writer.id]);
    expect(accounts.get(writer.id)?.state.opened.has(key)).toBe(true);
  });

  it.each(['not yet', 'already'])('keys are found with the end of their lane: %s', async (when) => {
    const writer = await scene.writer().open();
    await writer.write(TUESDAY, callAt(TUESDAY));
    if (when === 'already') await project(writer.id);
    const keys = ['2026w48', '2026w47'].map((window) => ({
      accountId: writer.id,
      key: resourceKey(allBeauty, window),
    }));
    const loader = new AccountLoader(scene.pool);
    const ends = await scene.log.ends([laneOf(writer.id)]);
    expect(await loader.opened(keys)).toEqual({ opened: keys.slice(0, 1), ends });
    expect(await loader.opened(keys.slice(1))).toEqual({ opened: [], ends });
  });

  it('an account is loaded as the log has it, and its windows are the sums of its calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 12 }), async (calls) => {
        const writer = await scene.writer().open();
        let at = TUESDAY;
        for (const { days, region, limit, thenProject } of calls) {
          at += days * DAY;
          await writer.write(at, callAt(at, { resource: { ...allBeauty, region, limit } }));
          if (thenProject) await project(writer.id);
        }
        const { accounts: loaded } = await new AccountLoader(scene.pool).load([writer.id]);
        const history = await writer.history();
        const replayed = history.reduce(follow, unopened);
        const account = loaded.get(writer.id) ?? unopened;
        expect(comparable(account.state)).toEqual(comparable(replayed.state));
        expect(account.head).toEqual(replayed.head);

        const window = terms.calendar.windowAt(at).label;
        const page = await scene.reads(at).windows(writer.id, {
          window,
          after: null,
          limit: 1_000,
          asOf: null,
        });
        const all = new UsageSums();
        const charged = history.flatMap((event) => storedCall(event) ?? []);
        for (const call of charged) all.add(call, terms.calendar);
        const sums = [...all.keys].filter((sum) => sum.window === window);
        expect(
          page?.items.map(({ key, calls: n, credits_used }) => [key, n, credits_used]),
        ).toEqual(
          sums
            .toSorted((a, b) => (a.key < b.key ? -1 : 1))
            .map(({ key, calls: n, credits }) => [key, n, credits]),
        );
        expect(await dearestFirst(writer.id, at, window)).toEqual(
          sums
            .toSorted((a, b) => b.credits - a.credits || (a.key < b.key ? -1 : 1))
            .map(({ key }) => key),
        );
        expect((await scene.reads(at).account(writer.id))?.balance).toBe(replayed.state.balance);
      }),
      { numRuns: 25 },
    );
  });

  it.each([
    ['when nothing was', async () => undefined],
    ['when all was', project],
  ])('an API key is found %s', async (_when, before) => {
    const writer = await scene.writer().open();
    await before(writer.id);
    const found = await new PostgresKeyDirectory(scene.pool).find(writer.hash);
    expect(found?.keys.get(writer.hash)).toMatchObject({ accountId: writer.id, apiKey: 1 });
    expect(await new PostgresKeyDirectory(scene.pool).find('f'.repeat(64))).toBeUndefined();
  });

  it.each([
    ['when nothing was', async () => undefined],
    ['when all was', project],
  ])('a call is explained by the one that opened its key %s', async (_when, before) => {
    const writer = await scene.writer().open();
    await writer.write(TUESDAY, callAt(TUESDAY));
    await writer.write(TUESDAY, callAt(TUESDAY));
    await before(writer.id);
    const calls = (await writer.history()).filter(({ type }) => type === 'CallMade');
    const [base, repeat] = calls.map(({ callId }) => callId ?? '');
    const explanation = await scene.reads(TUESDAY).call(writer.id, repeat ?? '');
    expect(explanation?.opened_by.call_id).toBe(base);
    expect(explanation?.draws).toEqual([{ grant_id: 'grant-of-90000000', credits: 10 }]);
    const stranger = await scene.writer().open();
    expect(await scene.reads(TUESDAY).call(stranger.id, repeat ?? '')).toBeUndefined();
  });

  it.each([
    ['when nothing was', async () => undefined],
    ['when all was', project],
  ])(
    'calls name the API key they were made with after it was revoked %s',
    async (_when, before) => {
      const writer = await scene.writer().open();
      await writer.write(TUESDAY, callAt(TUESDAY));
      await writer.write(TUESDAY, revokeApiKey('key-1'));
      await before(writer.id);
      const reads = scene.reads(TUESDAY);
      const page = await reads.calls(writer.id, { ...ALL, apiKeyId: 'key-1' });
      const [call] = page?.items ?? [];
      expect(call?.api_key_id).toBe('key-1');
      const explained = await reads.call(writer.id, call?.call_id ?? '');
      expect(explained?.api_key_id).toBe('key-1');
      const everything = { from: null, to: null, after: null, limit: 10, asOf: null };
      const usage = await reads.usage(writer.id, { ...everything, by: ['api_key'] });
      expect(usage?.items).toMatchObject([{ api_key: 'key-1', calls: 1 }]);
      expect(await readApiKeys(scene.pool, writer.id)).toMatchObject([{ revokedAt: TUESDAY }]);
      const found = await new PostgresKeyDirectory(scene.pool).find(writer.hash);
      expect(found).toMatchObject({ accountId: writer.id, keys: new Map() });
    },
  );
});

it('nothing is loaded from rows that a newer program has made', async () => {
  const writer = await scene.writer().open();
  await project(writer.id);
  const ledger = `update checkpoint set version = version + $1 where projection = 'ledger'`;
  await scene.pool.query(ledger, [1]);
  const loading = new AccountLoader(scene.pool).load([writer.id]);
  await expect(loading).rejects.toThrow(LogUnavailableError);
  await scene.pool.query(ledger, [-1]);
  await expect(new AccountLoader(scene.pool).load([writer.id])).resolves.toBeDefined();
});

it('nothing is loaded from rows beyond the end of their lane', async () => {
  const writer = await scene.writer().open();
  await project(writer.id);
  const ledger = `update checkpoint set position = position + $1 where projection = 'ledger'`;
  await scene.pool.query(ledger, [1]);
  const loading = new AccountLoader(scene.pool).load([writer.id]);
  await expect(loading).rejects.toThrow(LogUnavailableError);
  await scene.pool.query(ledger, [-1]);
  await expect(new AccountLoader(scene.pool).load([writer.id])).resolves.toBeDefined();
});

describe('the list of calls', () => {
  let writer: Writer;
  beforeAll(async () => {
    writer = await scene.writer().open();
    for (let day = 0; day < 6; day += 1) {
      const at = TUESDAY + day * DAY;
      const region = day % 2 === 0 ? 'us' : 'fr';
      const tags = day === 3 ? { team: 'nails' } : null;
      await writer.write(at, callAt(at, { resource: { ...allBeauty, region }, tags }));
    }
  });

  async function days(filter: Partial<CallFilter>): Promise<number[] | undefined> {
    const page = await scene.reads(TUESDAY).calls(writer.id, { ...ALL, ...filter });
    return page?.items.map(({ at }) => (Date.parse(at) - TUESDAY) / DAY);
  }

  it.each<[string, Partial<CallFilter>, number[]]>([
    ['is oldest first', {}, [0, 1, 2, 3, 4, 5]],
    ['is newest first when asked', { order: 'desc' }, [5, 4, 3, 2, 1, 0]],
    ['holds what was made from a moment on', { from: TUESDAY + 4 * DAY }, [4, 5]],
    ['holds what was made before a moment', { to: TUESDAY + 2 * DAY }, [0, 1]],
    ['holds one kind', { kind: 'base' }, [0, 1]],
    ['holds one key', { resourceKey: '/v1/2026w48/cat1/trends/all/popindex/fr/beauty' }, [1, 3, 5]],
    ['holds one API key', { apiKeyId: 'key-1' }, [0, 1, 2, 3, 4, 5]],
    ['is empty for an API key of nobody', { apiKeyId: 'key-9' }, []],
    ['holds one tag', { tag: { name: 'team', value: 'nails' } }, [3]],
    ['holds one tag of any value', { tag: { name: 'team', value: null } }, [3]],
    ['holds no other value of a tag', { tag: { name: 'team', value: 'hair' } }, []],
  ])('%s', async (_rule, filter, expected) => {
    expect(await days(filter)).toEqual(expected);
  });

  it.each(['asc', 'desc'] as const)(
    'can be walked in pages (%s) while calls arrive',
    async (order) => {
      const seen: string[] = [];
      let after: string | null = null;
      let pages = 0;
      do {
        const page = await scene
          .reads(TUESDAY)
          .calls(writer.id, { ...ALL, order, after, limit: 4 });
        seen.push(...(page?.items.map(({ call_id }) => call_id) ?? []));
        after = page?.next ?? null;
        pages += 1;
        if (pages === 1) await writer.write(TUESDAY + 6 * DAY, callAt(TUESDAY + 6 * DAY));
      } while (after !== null);
      expect(new Set(seen).size).toBe(seen.length);
      const all = (await writer.history()).filter(({ type }) => type === 'CallMade');
      expect(seen.length).toBeGreaterThanOrEqual(all.length - 1);
    },
  );

  it('knows events of every type of its accounts', async () => {
    const page = await scene.reads(TUESDAY).events(writer.id, null, 3);
    expect(page?.items.map(({ type }) => type)).toEqual([
      'AccountOpened',
      'ApiKeyIssued',
      'CreditsGranted',
    ]);
    expect((await writer.history()).map(readEvent)).not.toHaveLength(0);
  });
});
