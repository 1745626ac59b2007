import { adminStage } from '../../../../test/setup/stages.js';

const stage = adminStage();
let id: string;

beforeAll(async () => {
  id = await stage.account({ test_clock: '2026-11-24T09:00:00Z' });
});

const NOBODY = '0197c000-0000-7000-8000-000000000000';

async function positions(): Promise<readonly number[]> {
  return (await stage.log.ends()).map(({ position }) => position);
}

/** Paths as the table writes them: `{id}` is an account. */
function pathOf(template: string): string {
  return `/admin/v1${template.replace('{id}', id)}`;
}

// A body that is beyond a limit, wrong by more than its schema, or in several places, and the JSON
// pointers of everything that is wrong with it. All kinds of values are in admin-wrong-input.
type BodyRow = readonly [path: string, body: unknown, ...pointers: string[]];

const long = (length: number): string => 'x'.repeat(length);
const grant = (members: object): object => ({
  credits: 1,
  kind: 'purchased',
  price: 1,
  ...members,
});
const adjustment = (members: object): object => ({ credits: 1, reason: 'x', ...members });
const opening = (members: object): object => ({ name: 'A', ...members });
const budget = (members: object): object => ({
  period: 'month',
  limit_credits: 100,
  thresholds: [50],
  action: 'block',
  ...members,
});
const mailing = (...emails: string[]): object => budget({ notify: { emails } });
const percentages = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => index + 1);
const plan = (members: object): object => ({
  monthly_fee: 0,
  included_credits: 0,
  price_per_1000_credits: 0,
  tax: { category: 'S', rate_percent: 19 },
  ...members,
});
const taxed = (members: object): object =>
  plan({ tax: { category: 'S', rate_percent: 19, ...members } });
const key = (members: object): object => ({ label: 'A', ...members });

const BODIES: readonly BodyRow[] = [
  ['/accounts', opening({ name: ' \t' }), '/name', '/name'],
  ['/accounts', opening({ name: 'a\nb' }), '/name'],
  ['/accounts', opening({ name: long(201) }), '/name'],
  ['/accounts', opening({ overdraft_credits: -1 }), '/overdraft_credits'],
  ['/accounts', opening({ low_balance_credits: -1 }), '/low_balance_credits'],
  ['/accounts', opening({ currency: 'usd' }), '/currency'],
  ['/accounts', opening({ currency: 'EURO' }), '/currency'],
  ['/accounts', opening({ currency: 'QQQ' }), '/currency'],
  ['/accounts', opening({ test_clock: '2026-11-24' }), '/test_clock'],
  ['/accounts', opening({ test_clock: '2026-11-24T00:00:00' }), '/test_clock'],
  ['/accounts', opening({ test_clock: '2026-02-30T00:00:00Z' }), '/test_clock'],
  ['/accounts', opening({ test_clock: '2026-11-24T24:00:00Z' }), '/test_clock'],
  ['/accounts', opening({ test_clock: '1989-12-31T23:59:59Z' }), '/test_clock'],
  ['/accounts', opening({ rate_limit: {} }), '/rate_limit/per_second', '/rate_limit/burst'],
  ['/accounts', opening({ rate_limit: { per_second: 0, burst: 1 } }), '/rate_limit/per_second'],
  ['/accounts', opening({ rate_limit: { per_second: 1, burst: 1, day: 1 } }), '/rate_limit/day'],
  ['/accounts', opening({ rate_card: 2 }), '/rate_card'],
  [
    '/accounts',
    opening({ plan: {} }),
    '/plan/monthly_fee',
    '/plan/included_credits',
    '/plan/price_per_1000_credits',
    '/plan/tax',
  ],
  ['/accounts', opening({ plan: plan({ monthly_fee: -1 }) }), '/plan/monthly_fee'],
  ['/accounts', opening({ plan: plan({ monthly_fee: 1e12 + 1 }) }), '/plan/monthly_fee'],
  [
    '/accounts',
    opening({ plan: plan({ price_per_1000_credits: 2 ** 53 - 1 }) }),
    '/plan/price_per_1000_credits',
  ],
  ['/accounts', opening({ plan: plan({ included_credits: 0.5 }) }), '/plan/included_credits'],
  ['/accounts', opening({ plan: plan({ price: 5 }) }), '/plan/price'],
  ['/accounts', opening({ plan: taxed({ category: 'X' }) }), '/plan/tax/category'],
  ['/accounts', opening({ plan: taxed({ rate_percent: 0 }) }), '/plan/tax/rate_percent'],
  ['/accounts', opening({ plan: taxed({ rate_percent: 19.12505 }) }), '/plan/tax/rate_percent'],
  ['/accounts', opening({ plan: taxed({ rate_percent: 101 }) }), '/plan/tax/rate_percent'],
  ['/accounts', opening({ plan: taxed({ category: 'AE' }) }), '/plan/tax/rate_percent'],
  ['/accounts', opening({ id: NOBODY, 'a/b~c': 1 }), '/id', '/a~1b~0c'],
  ['/accounts', { currency: 'x', plan: 1 }, '/name', '/currency', '/plan'],
  ['/accounts/{id}/suspend', { reason: '' }, '/reason', '/reason'],
  ['/accounts/{id}/suspend', { reason: long(501) }, '/reason'],
  ['/accounts/{id}/budgets', {}, '/period', '/limit_credits', '/thresholds', '/action'],
  ['/accounts/{id}/budgets', budget({ period: 'day' }), '/period'],
  ['/accounts/{id}/budgets', budget({ limit_credits: 0 }), '/limit_credits'],
  ['/accounts/{id}/budgets', budget({ limit_credits: 1e16 }), '/limit_credits'],
  ['/accounts/{id}/budgets', budget({ action: 'stop' }), '/action'],
  ['/accounts/{id}/budgets', budget({ notify: { emails: [] } }), '/notify/emails'],
  ['/accounts/{id}/budgets', budget({ thresholds: [0, 101] }), '/thresholds/0', '/thresholds/1'],
  ['/accounts/{id}/budgets', budget({ thresholds: [50, 50] }), '/thresholds'],
  ['/accounts/{id}/budgets', budget({ thresholds: percentages(11) }), '/thresholds'],
  ['/accounts/{id}/budgets', budget({ api_key_id: NOBODY }), '/api_key_id'],
  ['/accounts/{id}/budgets', mailing('ada@example.org\nBcc: bo@example.org'), '/notify/emails/0'],
  ['/accounts/{id}/budgets', mailing('ada@example.org', 'ada@example.org'), '/notify/emails'],
  [
    '/accounts/{id}/budgets',
    budget({ notify: { emails: [], sms: 1 } }),
    '/notify/sms',
    '/notify/emails',
  ],
  ['/accounts/{id}/api-keys', key({ scopes: ['data', 'admin'] }), '/scopes/1'],
  ['/accounts/{id}/api-keys', key({ scopes: [] }), '/scopes'],
  ['/accounts/{id}/api-keys', key({ label: long(101) }), '/label'],
  ['/accounts/{id}/api-keys', key({ scopes: ['data', 'data'] }), '/scopes'],
  ['/accounts/{id}/grants', { credits: 1, kind: 'purchased' }, '/price'],
  ['/accounts/{id}/grants', grant({ price: null, credits: 0 }), '/price', '/credits'],
  ['/accounts/{id}/grants', grant({ credits: 2 ** 53 }), '/credits', '/credits'],
  ['/accounts/{id}/grants', grant({ kind: 'included' }), '/kind'],
  ['/accounts/{id}/grants', grant({ price: -1 }), '/price'],
  ['/accounts/{id}/grants', grant({ price: 1e12 + 1 }), '/price'],
  ['/accounts/{id}/grants', grant({ priority: -1 }), '/priority'],
  ['/accounts/{id}/grants', grant({ note: long(501) }), '/note'],
  ['/accounts/{id}/grants', grant({ kind: 'promotional', price: 1 }), '/price'],
  ['/accounts/{id}/adjustments', adjustment({ credits: 0 }), '/credits'],
  ['/accounts/{id}/adjustments', adjustment({ credits: -(2 ** 53) }), '/credits'],
  ['/accounts/{id}/adjustments', adjustment({ reason: long(501) }), '/reason'],
  ['/accounts/{id}/adjustments', adjustment({ call_id: NOBODY }), '/call_id'],
];

describe('a wrong body', () => {
  const table = BODIES.map(([path, body, ...pointers]) => ({ path, body, pointers }));

  it.each(table)('of POST $path, $body, is pointed at', async ({ path, body, pointers }) => {
    const before = await positions();
    const refused = await stage.ask('POST', pathOf(path), { body });
    expect(refused.json).toMatchObject({ status: 400, code: 'invalid-body' });
    const errors = refused.json['errors'] as { pointer: string; detail: string }[];
    const found = [...new Set(errors.map(({ pointer }) => pointer))];
    expect(found.toSorted()).toEqual([...new Set(pointers)].toSorted());
    expect(errors.every(({ detail }) => detail.length > 5)).toBe(true);
    expect(await positions()).toEqual(before);
  });
});

// Bytes that are no JSON value, where they are wrong, and what is answered.
const RAW: readonly (readonly [what: string, raw: string | Buffer, pointer: string])[] = [
  ['nothing', '', ''],
  ['half of an object', '{"name": "A"', ''],
  ['no JSON', 'name=A', ''],
  ['a member twice', '{"name": "A", "name": "B"}', '/name'],
  ['a prototype', '{"name": "A", "__proto__": {}}', '/__proto__'],
  ['half a surrogate pair', '{"name": "\\ud800"}', '/name'],
  ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), ''],
  ['something behind the value', '{"name": "A"} {}', ''],
  ['a number that would be rounded', '{"credits": 4503599627370497.5}', '/credits'],
  ['one that is larger than any', '{"credits": 1e400}', '/credits'],
];

it.each([
  ['/accounts/{id}/grants', { credits: 1, kind: 'promotional' }],
  ['/accounts/{id}/api-keys', { label: 'A' }],
])('a moment in POST %s is kept to the millisecond', async (path, body) => {
  const expires_at = '2027-01-01T01:00:00.123999+01:00';
  const { json } = await stage.ask('POST', pathOf(path), { body: { ...body, expires_at } });
  expect(json['expires_at']).toBe('2027-01-01T00:00:00.123Z');
});

describe('a body that holds', () => {
  it.each(RAW)('%s is refused', async (_, raw, pointer) => {
    const refused = await stage.ask('POST', pathOf('/accounts'), { raw });
    expect(refused.json).toMatchObject({ code: 'invalid-body', errors: [{ pointer }] });
  });
});
