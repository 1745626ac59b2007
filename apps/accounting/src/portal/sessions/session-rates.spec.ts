import { PortalStage } from '../portal-stage.suite.js';

let stage: PortalStage;
beforeEach(async () => {
  stage = await PortalStage.open();
});
afterEach(() => stage.close());

/** How many of so many requests at once were answered with each status. */
async function statuses(count: number, ask: () => Promise<{ readonly status: number }>) {
  const answers = await Promise.all(Array.from({ length: count }, ask));
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return Object.fromEntries(counts);
}

it('a session is refused beyond 50 requests a second and a burst of 100, and no other', async () => {
  const account = await stage.admin.prepaid();
  const [cookie, other] = [await stage.signIn(account), await stage.signIn(account)];
  const first = await stage.get('/session', cookie);
  expect(first.headers['ratelimit-policy']).toBe('"session";q=100;w=2');
  const counts = await statuses(500, () => stage.get('/session', cookie));
  expect(counts['200']).toBeGreaterThanOrEqual(99);
  expect(counts['429']).toBeGreaterThan(0);
  expect((await stage.get('/session', other)).status).toBe(200);
});

it('without a session an address is refused beyond 100 a second, whoever is signed in is not', async () => {
  const cookie = await stage.signIn(await stage.admin.prepaid());
  expect((await stage.get('/session', cookie)).status).toBe(200);
  const wrong = 'popindex-portal=pixses_nobody';
  const counts = await statuses(500, () => stage.get('/session', wrong));
  expect(counts['401']).toBeGreaterThanOrEqual(190);
  expect(counts['429']).toBeGreaterThan(0);
  const links = await statuses(500, () =>
    stage.ask('POST', '/portal/v1/session', { body: { token: 'pixlink_guess' } }),
  );
  expect(links['429']).toBeGreaterThan(0);
  expect((await stage.get('/session', cookie)).status).toBe(200);
});

it('wrong admin tokens are refused beyond 100 a second, and right ones never', async () => {
  const authorization = 'Bearer wrong';
  const wrong = await statuses(500, () =>
    stage.admin.ask('GET', '/admin/v1/accounts', { authorization }),
  );
  expect(wrong['401']).toBeGreaterThanOrEqual(200);
  expect(wrong['429']).toBeGreaterThan(0);
  expect(await statuses(500, () => stage.admin.get('/releases'))).toEqual({ 200: 500 });
});
