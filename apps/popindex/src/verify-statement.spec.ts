import { FIRST_HEAD, hashEvent } from '#event-log/hash-chain.js';
import { commandScene } from './command-scene.suite.js';
import { verifyStatement } from './verify-statement.js';

const ACCOUNT = '0197c000-0000-7000-8000-000000000001';
const GRANT = '0197c000-0000-7000-8000-000000000002';
const EVENTS = [
  { account_version: 1, type: 'CreditsGranted', at: '2026-10-02T08:00:00.000Z', data: { a: 1 } },
  { account_version: 2, type: 'CallMade', at: '2026-10-03T08:00:00.000Z', data: { b: 'ü' } },
  { account_version: 3, type: 'CallMade', at: '2026-10-03T09:00:00.000Z', data: { c: [1] } },
].map((event) => ({ lane: 2, position: 9, call_id: null, ...event }));
const HEAD = EVENTS.reduce((head, { account_version: accountVersion, type, at, data }) => {
  const text = JSON.stringify(data);
  const moment = Date.parse(at);
  const columns = { accountId: ACCOUNT, accountVersion, callId: null, type, at: moment };
  return hashEvent(head, { ...columns, data: text });
}, FIRST_HEAD);

const STATEMENT = {
  type: 'statement',
  account_id: ACCOUNT,
  month: '2026-10',
  period: { from: '2026-10-01', to: '2026-10-31' },
  time_zone: 'UTC',
  opening_balance: 0,
  grants: [{ at: '2026-10-02T08:00:00.000Z', grant_id: GRANT, credits: 100, kind: 'purchased' }],
  adjustments: [],
  charges: [{ day: '2026-10-03', calls: 2, credits: 45 }],
  expiries: [],
  voids: [],
  billed_credits: 0,
  closing_balance: 55,
  account_version: { from: 1, to: 3 },
  opening_head: FIRST_HEAD,
  account_head: HEAD,
  final: true,
};
const CALLS = [
  { call_id: 'a', at: '2026-10-03T08:00:00.000Z', credits_used: 35, balance_after: 65 },
  { call_id: 'b', at: '2026-10-03T09:00:00.000Z', credits_used: 10, balance_after: 55 },
];
const CSV = [
  'call_id,at,key,credits_used,balance_after',
  'b,2026-10-03T09:00:00.000Z,/v1/x,10,55',
  'a,2026-10-03T08:00:00.000Z,/v1/x,35,65',
  '',
].join('\r\n');

const scene = commandScene();
const { file } = scene;

test('a statement holds against its calls, as CSV newest first or as pages, and its events', async () => {
  const statement = await file('statement.json', STATEMENT);
  const events = [await file('events.json', { items: EVENTS, next: null })];
  const csv = await file('calls.csv', CSV);
  const pages = [
    await file('first.json', { items: CALLS.slice(0, 1), next: '1' }),
    await file('second.json', CALLS.slice(1)),
  ];
  expect(await verifyStatement({ statement, calls: [csv], events }, false)).toBe(0);
  expect(scene.printed.split('\n').filter((line) => line.startsWith('ok'))).toHaveLength(3);
  expect(await verifyStatement({ statement, calls: pages }, false)).toBe(0);
  expect(scene.printed).toContain('The statement holds.');
});

test('without calls only its sum is looked at, and that is said', async () => {
  const wrong = { ...STATEMENT, closing_balance: 56 };
  const statement = await file('wrong.json', wrong);
  expect(await verifyStatement({ statement }, false)).toBe(1);
  expect(scene.printed).toContain('The entries add up to 55, the closing balance is 56.');
  expect(scene.printed).toContain('The calls were not looked at');
});

test('a call or an event that is another one is found', async () => {
  const statement = await file('statement.json', STATEMENT);
  const calls = [await file('few.json', CALLS.slice(0, 1))];
  const [first, second, third] = EVENTS;
  const events = [await file('forged.json', [first, { ...second, data: { b: 'u' } }, third])];
  expect(await verifyStatement({ statement, calls, events }, true)).toBe(1);
  const { intact, rules } = JSON.parse(scene.printed) as {
    intact: boolean;
    rules: { differences: string[] }[];
  };
  expect(intact).toBe(false);
  expect(rules.map(({ differences }) => differences.length)).toEqual([0, 2, 1]);
});

test.each([
  ['nothing.json', undefined, /nothing\.json: there is no such file$/],
  ['calls.csv', 'call_id,at', /calls\.csv: this is no JSON: /],
  ['other.json', { type: 'invoice' }, /is not what it should be:\n {2}\/type: /],
  ['zone.json', { ...STATEMENT, time_zone: 'Mars/Base' }, /"Mars\/Base" is no time zone/],
])('%s is refused with what is wrong', async (name, content, message) => {
  const statement = scene.at(name);
  if (content !== undefined) await file(name, content);
  await expect(verifyStatement({ statement }, false)).rejects.toThrow(message);
});

test('calls that are none are refused with their place', async () => {
  const statement = await file('statement.json', STATEMENT);
  const calls = [await file('odd.csv', 'call_id,at\r\na,yesterday\r\n')];
  const refused = verifyStatement({ statement, calls }, false);
  await expect(refused).rejects.toThrow(/odd\.csv, record 1 is not what it should be:/);
});
