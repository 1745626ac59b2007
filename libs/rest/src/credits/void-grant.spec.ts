import { randomUUID } from 'node:crypto';
import { DAY, TUESDAY } from '#account/scenario.suite.js';
import { idOf, itemsOf, type Answered } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import type { Asked } from '../../../../test/setup/asked.js';

const stage = adminStage();

afterEach(() => {
  stage.now = TUESDAY;
});

/** Of credits that nobody has paid for. */
const NOTHING = {
  currency: 'USD',
  refund: 0,
  refund_by: null,
  forfeited: 0,
  credit_note_id: null,
  credit_note_number: null,
};
const GRANT = { credits: 60_000, kind: 'promotional' };

async function granted(members: object = {}): Promise<{ account: string; grant: string }> {
  const account = await stage.prepaid({}, 1_000);
  const grant = idOf(
    await stage.post(`/accounts/${account}/grants`, { ...GRANT, priority: 1, ...members }),
  );
  return { account, grant };
}

function voided(account: string, grant: string, asked: Asked = {}): Promise<Answered> {
  return stage.ask('DELETE', `/admin/v1/accounts/${account}/grants/${grant}`, asked);
}

async function statuses(account: string): Promise<unknown[]> {
  const grants = itemsOf(await stage.get(`/accounts/${account}/grants`));
  return grants.map(({ status, left }) => [status, left]);
}

describe('voiding a grant', () => {
  it('takes back what is left of it, for a reason that the log keeps', async () => {
    const { account, grant } = await granted();
    await stage.call(account);
    const answer = await voided(account, grant, { body: { reason: 'By mistake.' } });
    expect([answer.status, answer.json]).toEqual([
      200,
      { ...NOTHING, id: grant, credits_taken_back: 10_000, balance: 1_000 },
    ]);
    expect((await stage.get(`/accounts/${account}`)).json).toMatchObject({ balance: 1_000 });
    expect(await statuses(account)).toEqual([
      ['active', 1_000],
      ['voided', 0],
    ]);
    const event = itemsOf(await stage.get(`/accounts/${account}/events`)).at(-1);
    expect(event).toMatchObject({
      type: 'GrantVoided',
      data: { credits: 10_000, reason: 'By mistake.' },
    });
  });

  it('again, or once nothing is left of it, changes nothing', async () => {
    const { account, grant } = await granted({ expires_at: '2026-11-25T00:00:00Z' });
    stage.now += 2 * DAY;
    const answers = [await voided(account, grant), await voided(account, grant)];
    const nothing = { ...NOTHING, id: grant, credits_taken_back: 0, balance: 1_000 };
    expect(answers.map(({ status, json }) => [status, json])).toEqual([
      [200, nothing],
      [200, nothing],
    ]);
    expect(await statuses(account)).toEqual([
      ['active', 1_000],
      ['expired', 0],
    ]);
  });

  it('happens once under an idempotency key, and only at the version that is named', async () => {
    const { account, grant } = await granted();
    const refused = await voided(account, grant, { headers: { 'if-match': '"1"' } });
    expect(refused.json).toMatchObject({ code: 'precondition-failed' });
    const key = randomUUID();
    const first = await voided(account, grant, { key });
    const retry = await voided(account, grant, { key });
    expect([retry.status, retry.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(retry.json).toEqual(first.json);
    const events = itemsOf(await stage.get(`/accounts/${account}/events`));
    expect(events.filter(({ type }) => type === 'GrantVoided')).toHaveLength(1);
  });

  it('that the account never had is not found', async () => {
    const { grant } = await granted();
    const { account } = await granted();
    expect((await voided(account, grant)).json).toMatchObject({ code: 'not-found' });
    expect((await voided(account, '7')).json).toMatchObject({ code: 'invalid-parameter' });
  });
});
