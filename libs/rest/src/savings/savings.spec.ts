import { DAY } from '#account/scenario.suite.js';
import { portalStageOfEachTest } from '../../../../test/setup/stages.js';

const stage = portalStageOfEachTest();
let account: string;
let cookie: string;

beforeEach(async () => {
  account = await stage.admin.prepaid({}, 200_000);
  cookie = await stage.signIn(account);
});

async function measures(query: string): Promise<Record<string, [calls: number, credits: number]>> {
  const { status, json } = await stage.get(`/savings${query}`, cookie);
  expect(status).toBe(200);
  const all = json['measures'] as { measure: string; calls: number; credits: number }[];
  return Object.fromEntries(all.map((one) => [one.measure, [one.calls, one.credits]]));
}

it('sums what a cache, conditional requests and fewer repeats would have saved', async () => {
  for (let n = 0; n < 4; n += 1) await stage.admin.call(account);
  stage.admin.now += DAY;
  cookie = await stage.signIn(account);
  for (let n = 0; n < 2; n += 1) await stage.admin.call(account);
  expect(await measures('?month=2026-11')).toEqual({
    caching: [5, 50],
    conditional_requests: [5, 0],
    credits_max: [0, 0],
    fewer_repeats: [4, 40],
  });
});

it('is of the last month that is over unless one is named, and takes nothing else', async () => {
  await stage.admin.call(account);
  const { json } = await stage.get('/savings', cookie);
  expect(json).toMatchObject({ month: '2026-10', calls: 0, credits_used: 0, is_whole: true });
  const wrong = await stage.get('/savings?month=2026-13', cookie);
  expect([wrong.status, wrong.json['code']]).toEqual([400, 'invalid-parameter']);
});
