import { portalStageOfEachTest } from '../../../test/setup/stages.js';

const stage = portalStageOfEachTest();
beforeEach(async () => {
  // Nothing is refilled, however slow the machine is.
  stage.admin.rateClock = () => 0;
});

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
  expect(counts).toEqual({ 200: 99, 429: 401 });
  expect((await stage.get('/session', other)).status).toBe(200);
});

it('without a session an address is refused beyond 100 a second, whoever is signed in is not', async () => {
  const cookie = await stage.signIn(await stage.admin.prepaid());
  expect((await stage.get('/session', cookie)).status).toBe(200);
  const wrong = 'popindex-portal=pixses_nobody';
  const counts = await statuses(500, () => stage.get('/session', wrong));
  // Signing in was one; look-ups that run at the same time are counted when they end.
  expect(counts['401']).toBe(199);
  expect(counts['429']).toBe(301);
  const links = await statuses(500, () =>
    stage.ask('POST', '/portal/v1/session', { body: { token: 'pixlink_guess' } }),
  );
  expect(links).toEqual({ 429: 500 });
  expect((await stage.get('/session', cookie)).status).toBe(200);
});

it('wrong admin tokens are refused beyond 100 a second, and right ones never', async () => {
  const authorization = 'Bearer wrong';
  const wrong = await statuses(500, () =>
    stage.admin.ask('GET', '/admin/v1/accounts', { authorization }),
  );
  expect(wrong).toEqual({ 401: 200, 429: 300 });
  expect(await statuses(500, () => stage.admin.get('/releases'))).toEqual({ 200: 500 });
});
