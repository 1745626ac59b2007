import type { Listing } from '#rating/resource.js';
import { ACNE, BRAND, FACE, SERUM, SERUMS } from '#popularity/release-files.suite.js';
import { itemsOf } from '../../../../test/setup/admin-stage.js';
import { PORTAL } from '../../../../test/setup/portal-stage.js';
import { portalStage } from '../../../../test/setup/stages.js';

const MINUTE = 60_000;
const EARLY = Date.parse('2026-11-11T09:00:00Z');
const PATH = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const TOP_5: Listing = {
  resource: 'trends',
  level: 'cat1',
  limit: 'top5',
  region: 'us',
  category: 'beauty',
};

const stage = portalStage();
let account: string;
let cookie: string;

beforeEach(async () => {
  account = await stage.admin.prepaid();
  cookie = await stage.signIn(account, 'viewer');
});

function look(path: string) {
  return stage.get(`/views?path=${encodeURIComponent(path)}`, cookie);
}

describe('data that an account has called', () => {
  it('is shown free from then on, by whatever name it is asked for', async () => {
    const { made } = await stage.admin.call(account, { resource: TOP_5, rows: 1 });
    for (const path of [PATH, '/v1/cat1/trends/top5/popindex/us/beauty', made.key]) {
      const { status, json } = await look(path);
      expect([status, json]).toMatchObject([
        200,
        {
          key: made.key,
          window: '2026w48',
          release: 'r1',
          data: { cat1_label: 'Beauty', trends: [{ rank: 1, cat5_id: ACNE }] },
        },
      ]);
      expect(json['data']).not.toHaveProperty('call_cost');
      expect(json['data']).toHaveProperty('dashboard', expect.stringContaining(PORTAL));
    }
    expect(itemsOf(await stage.get('/calls', cookie))).toHaveLength(1);
  });

  it('is still shown when its week is over, and the new week asks for its price', async () => {
    const { made } = await stage.admin.call(account, { resource: TOP_5, rows: 1 });
    stage.admin.now += 7 * 24 * 60 * MINUTE;
    await stage.admin.liveTerms.refresh();
    cookie = await stage.signIn(account);
    expect((await look(made.key)).status).toBe(200);
    expect((await look(PATH)).status).toBe(412);
    stage.admin.now -= 7 * 24 * 60 * MINUTE;
    await stage.admin.liveTerms.refresh();
  });

  it('of a test account is unchanged since its window where no release had begun yet', async () => {
    const early = await stage.admin.prepaid({ test_clock: '2026-11-11T09:00:00Z' });
    const { made } = await stage.admin.call(early, { resource: TOP_5, rows: 1, at: EARLY });
    cookie = await stage.signIn(early);
    expect((await look(made.key)).json).toMatchObject({
      window: '2026w46',
      release: 'r1',
      unchanged_since: '2026w46',
    });
  });

  it('can be looked at 60 times a minute', async () => {
    await stage.admin.call(account, { resource: TOP_5, rows: 1 });
    for (let count = 1; count <= 60; count += 1) expect((await look(PATH)).status).toBe(200);
    const { status, headers, json } = await look(PATH);
    expect([status, json['code'], headers['retry-after']]).toEqual([429, 'rate-limited', '60']);
    stage.admin.now += MINUTE;
    expect((await look(PATH)).status).toBe(200);
  });
});

describe('data that an account has not called', () => {
  it('is answered with its price and not shown', async () => {
    const { status, json } = await look(PATH);
    expect([status, json]).toMatchObject([
      412,
      { code: 'price-above-maximum', required_credits: 35, max_credits: 0, kind: 'base' },
    ]);
  });

  it('is priced by the card of the account', async () => {
    const body = { effective_window: null, call_cost: 7, rules: RULES };
    const { json } = await stage.admin.post('/rate-cards', body);
    const patch = { body: { rate_card: json['version'] } };
    await stage.admin.ask('PATCH', `/admin/v1/accounts/${account}`, patch);
    expect((await look(PATH)).json).toMatchObject({ required_credits: 9 });
  });

  const RULES = [{ name: 'all', match: {}, data_cost: { flat: 2 } }];

  it.each([
    [404, 'not-found', '/v1/account'],
    [404, 'not-found', `${PATH}/`],
    [404, 'unknown-item', '/v1/latest/cat1/trends/top5/popindex/us/gardens'],
    [404, 'no-data', '/v1/latest/cat1/trends/top5/popindex/kr/beauty'],
    [404, 'unknown-window', PATH.replace('latest', '2026w49')],
    [404, 'unknown-window', PATH.replace('latest', '2020w01')],
    [400, 'invalid-parameter', PATH.replace('us', 'xx')],
    [400, 'invalid-parameter', PATH.replace('beauty', '%62eauty')],
  ])('is refused like by the API: %i %s for %s', async (status, code, path) => {
    const { status: answered, json } = await look(path);
    expect([answered, json['code']]).toEqual([status, code]);
  });
});

describe('the catalog', () => {
  const list = async (query: string) => {
    const { json } = await stage.get(`/catalog${query}`, cookie);
    return json as { items: { id: string; level: string; parent_id: string }[]; next: string };
  };

  it('names everything that can be asked for, each category behind the one above it', async () => {
    const { items, next } = await list('');
    expect(next).toBeNull();
    expect(items[0]).toMatchObject({ level: 'cat1', label: 'Beauty', slug: 'beauty' });
    expect(items.at(-1)).toEqual(ORLA);
    expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining([FACE, SERUMS, ACNE, SERUM]));
    const seen = new Set<string | null>([null]);
    for (const { id, parent_id: above } of items) {
      expect(seen.has(above)).toBe(true);
      seen.add(id);
    }
  });

  it.each(['asc', 'desc'])('comes a page at a time, %s, without gap or repeat', async (order) => {
    const whole = (await list(`?order=${order}`)).items;
    const paged = [];
    for (let after = ''; ;) {
      const { items, next } = await list(`?order=${order}&limit=2${after}`);
      paged.push(...items);
      if (next === null) break;
      after = `&after=${next}`;
    }
    expect(paged).toEqual(whole);
    expect(whole.length).toBeGreaterThan(4);
    expect(whole.toReversed()).toEqual((await list(order === 'asc' ? '?order=desc' : '')).items);
  });

  it('finds what is of a level, or right below a category', async () => {
    expect((await list('?level=cat5')).items.map(({ id }) => id)).toEqual(
      (await list('')).items.filter(({ level }) => level === 'cat5').map(({ id }) => id),
    );
    expect((await list('?level=category')).items).toEqual(
      (await list('')).items.filter(({ level }) => level !== 'brand'),
    );
    const below = (await list(`?parent_id=${FACE}`)).items;
    expect(below.map(({ id }) => id)).toEqual([SERUMS, BRAND]);
  });

  const ORLA = { id: BRAND, level: 'brand', label: 'Orla', slug: null, parent_id: null };
  it.each([
    ['level=brand', 1],
    ['search=ORL', 1],
    ['search=%25', 0],
    ['search=_rla', 0],
    [`level=brand&parent_id=${FACE}`, 1],
    [`level=brand&parent_id=${ACNE}`, 0],
    [`id=${BRAND}`, 1],
    [`level=brand&id=${ACNE}`, 0],
    [`search=${encodeURIComponent('ＯＲＬＡ')}`, 1],
    [`search=${encodeURIComponent('Ọrl'.normalize('NFD'))}`, 1],
    [`search=${encodeURIComponent('\u200d')}`, 0],
  ])('finds brands by %s', async (query, found) => {
    expect(await list(`?${query}`)).toEqual({ items: [ORLA].slice(0, found), next: null });
  });

  it('finds items of releases that an older version has loaded', async () => {
    for (const table of ['release_brand', 'release_category']) {
      await stage.admin.pool.query(`update ${table} set folded = null`);
    }
    expect(await list('?search=orl')).toEqual({ items: [ORLA], next: null });
    const { rows } = await stage.admin.pool.query('select label, folded from release_brand');
    expect(rows).toContainEqual({ label: 'Orla', folded: 'orla' });
  });

  it.each(['level=cat6', 'parent_id=face', 'after=eA', 'limit=0', 'brand_id=x'])(
    'refuses %s',
    async (query) => {
      const { status, json } = await stage.get(`/catalog?${query}`, cookie);
      expect([status, json['code']]).toEqual([400, 'invalid-parameter']);
    },
  );

  it('names groups and regions', async () => {
    expect(await list('/groups')).toEqual({
      items: [{ slug: 'concerns', label: 'Concerns' }],
      next: null,
    });
    const { items, next } = await list('/regions?limit=2');
    expect(items[1]).toEqual({ slug: 'gb', label: 'United Kingdom' });
    expect((await list(`/regions?after=${next}`)).items).toHaveLength(4);
  });
});
