import { FIRST_HEAD, hashEvent } from '#event-log/hash-chain.js';
import { prove, WrongFilesError } from './statement-proof.js';

const ACCOUNT = '00000000-0000-4000-8000-000000000001';
const AT = '2026-11-21T12:00:00.000Z';
const EVENTS = [1, 2].map((account_version) => ({
  lane: 7,
  position: account_version,
  account_version,
  type: 'CallMade',
  at: AT,
  call_id: null,
  data: { n: account_version },
}));
const HEAD = EVENTS.reduce(
  (head, { account_version: accountVersion, data }) =>
    hashEvent(head, {
      accountId: ACCOUNT,
      accountVersion,
      callId: null,
      type: 'CallMade',
      at: Date.parse(AT),
      data: JSON.stringify(data),
    }),
  FIRST_HEAD,
);
const STATEMENT = {
  type: 'statement',
  account_id: ACCOUNT,
  month: '2026-11',
  period: { from: '2026-11-01', to: '2026-11-30' },
  time_zone: 'Europe/Vienna',
  opening_balance: 100,
  grants: [],
  adjustments: [],
  charges: [{ day: '2026-11-21', calls: 2, credits: 45 }],
  expiries: [],
  voids: [],
  billed_credits: 0,
  closing_balance: 55,
  account_version: { from: 1, to: 2 },
  opening_head: FIRST_HEAD,
  account_head: HEAD,
  final: true,
};
const HEADS = 'call_id,at,key,credits_used,balance_after,tags';
const CALLS = [
  HEADS,
  `b,2026-11-21T13:00:00.000Z,/v1/a,10,55,"team=x, project=y"`,
  `a,${AT},/v1/a,35,65,`,
].join('\r\n');

const file = (name: string, content: unknown) => ({
  name,
  bytes: new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content)),
});

async function differences(...files: readonly unknown[]): Promise<readonly string[]> {
  const proof = await prove(files.map((content, index) => file(`file ${index}`, content)));
  return proof.rules.flatMap((rule) => rule.differences);
}

test('a statement holds with its calls and its events, in whichever order they come', async () => {
  const proof = await prove([file('calls.csv', CALLS), file('statement.json', STATEMENT)]);
  expect(proof.rules.map((rule) => rule.differences)).toEqual([[], []]);
  expect(proof.digests.map(({ name }) => name)).toEqual(['calls.csv', 'statement.json']);
  expect(await differences(STATEMENT, { items: EVENTS, next: null })).toEqual([]);
});

test.each([
  ['a charge that was raised', { charges: [{ day: '2026-11-21', calls: 2, credits: 46 }] }],
  ['a closing balance', { closing_balance: 56 }],
  ['a day', { charges: [{ day: '2026-11-20', calls: 2, credits: 45 }] }],
])('%s is found by the calls', async (_, change) => {
  expect(await differences({ ...STATEMENT, ...change }, CALLS)).not.toEqual([]);
});

test('a changed, missing or added event does not lead to the head', async () => {
  const [first, second] = EVENTS;
  const changed = [first, { ...second, data: { n: 3 } }];
  for (const items of [changed, [first], [...EVENTS, second]]) {
    expect(await differences(STATEMENT, { items })).toHaveLength(1);
  }
  const open = { ...STATEMENT, final: false };
  expect(await differences(open, { items: EVENTS })).toEqual([
    'It has no head yet: its month is not closed.',
  ]);
});

test.each([
  ['no statement', [CALLS]],
  ['something else', [STATEMENT, { hello: 'world' }]],
  ['a table of something else', [STATEMENT, 'a,b\n1,2']],
  ['a text that is no JSON', [STATEMENT, '{']],
])('%s is refused', async (_, files) => {
  await expect(differences(...files)).rejects.toThrow(WrongFilesError);
});
