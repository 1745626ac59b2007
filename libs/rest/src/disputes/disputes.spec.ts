import { idOf, itemsOf, type Answered } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import { call, customer, invoiced, SELLER } from '../../../../test/setup/invoicing-stage.js';

const REASON = 'The figures were those of the week before.';
const ANSWER = 'The release was wrong.';

const stage = adminStage();

beforeAll(async () => {
  await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
});

function open(account: string, calls: readonly unknown[], key?: string): Promise<Answered> {
  const body = { call_ids: calls, reason: REASON };
  return stage.post(`/accounts/${account}/disputes`, body, key);
}

function resolve(
  dispute: Answered | string,
  outcome: 'accepted' | 'rejected',
  key?: string,
): Promise<Answered> {
  const id = typeof dispute === 'string' ? dispute : idOf(dispute);
  return stage.post(`/disputes/${id}/resolve`, { outcome, answer: ANSWER }, key);
}

async function eventsOf(account: string, type: string): Promise<Record<string, unknown>[]> {
  const events = itemsOf(await stage.get(`/accounts/${account}/events?limit=1000`));
  return events.filter((event) => event['type'] === type);
}

async function balanceOf(account: string): Promise<number> {
  return Number((await stage.get(`/accounts/${account}`)).json['balance']);
}

/** The ids of each page of a list. */
async function pagesOf(first: string): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  for (let after = ''; ;) {
    const page = await stage.get(`${first}${after}`);
    pages.push(itemsOf(page).map(({ id }) => id));
    const next = page.json['next'] as string | null;
    if (next === null) return pages;
    after = `&after=${next}`;
  }
}

async function prepaidCalls(): Promise<{ account: string; calls: readonly string[] }> {
  const account = await customer(stage, { plan: undefined, overdraft_credits: 100_000 });
  return { account, calls: (await call(stage, account)) as string[] };
}

describe('a dispute', () => {
  it('is opened with a reason, and both sides read it and its answer', async () => {
    const { account, calls } = await prepaidCalls();
    const opened = await open(account, [calls[0]]);
    expect(opened.status).toBe(201);
    const view = {
      account_id: account,
      call_ids: [calls[0]],
      disputed_credits: 50_000,
      reason: REASON,
      status: 'open',
      answer: null,
      given_back_credits: 0,
      resolved_at: null,
    };
    expect(opened.json).toMatchObject(view);
    expect(itemsOf(await stage.get(`/accounts/${account}/disputes`))).toEqual([opened.json]);

    const resolved = await resolve(opened, 'rejected');
    const answered = { ...opened.json, status: 'rejected', answer: ANSWER };
    expect(resolved.status).toBe(200);
    expect(resolved.json).toEqual({ ...answered, resolved_at: resolved.json['resolved_at'] });
    expect(await balanceOf(account)).toBe(-50_045);
    const one = await stage.get(`/accounts/${account}/disputes/${idOf(opened)}`);
    expect(one.json).toEqual(resolved.json);
    const [data] = await eventsOf(account, 'DisputeOpened');
    const [row] = (
      await stage.pool.query<{ data: string }>(
        `select data::text from event where type = 'DisputeOpened' and account_id = $1`,
        [account],
      )
    ).rows;
    expect(row?.data).not.toContain(REASON);
    expect(data?.['data']).toMatchObject({ reason: REASON });
  });

  it('that is accepted gives all its calls back in one append, whatever was invoiced', async () => {
    const { id, calls } = await invoiced(stage);
    const before = await balanceOf(id);
    const opened = await open(id, calls);
    const resolved = await resolve(opened, 'accepted');
    expect(resolved.json).toMatchObject({
      status: 'accepted',
      given_back_credits: Number(opened.json['disputed_credits']),
    });
    const [note, ...others] = await eventsOf(id, 'CreditNoteSealed');
    expect(others).toEqual([]);
    const adjusted = await eventsOf(id, 'Adjusted');
    const sum = adjusted.reduce((all, { data }) => all + Number(Object(data).credits), 0);
    expect(await balanceOf(id)).toBe(before + sum);
    expect(sum).toBe(1_000);
    expect(Object(note?.['data']).lines).toHaveLength(3);
    const explained = await stage.get(`/calls/${calls[0]}`);
    expect(explained.json['credited_by']).toEqual([expect.stringMatching(/CN-\d+$/)]);
    for (const one of calls) {
      const again = await stage.post(`/calls/${one}/give-back`, { reason: ANSWER });
      expect(again.status).toBe(409);
    }
  });

  it('gives nothing back twice: calls that were given back before are left out', async () => {
    const { account, calls } = await prepaidCalls();
    const opened = await open(account, calls);
    await stage.post(`/calls/${calls[0]}/give-back`, { reason: ANSWER });
    const resolved = await resolve(opened, 'accepted');
    expect(resolved.json['given_back_credits']).toBe(45);
    expect(await balanceOf(account)).toBe(0);
  });

  it('is resolved once, also where all answer at once', async () => {
    const { account, calls } = await prepaidCalls();
    const opened = await open(account, calls);
    const outcomes = ['accepted', 'rejected', 'accepted', 'rejected'] as const;
    const answers = await Promise.all(outcomes.map((outcome) => resolve(opened, outcome)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409]);
    expect(await eventsOf(account, 'DisputeResolved')).toHaveLength(1);
  });

  it('happens once under a key, as its answer does', async () => {
    const { account, calls } = await prepaidCalls();
    const key = `dispute-${account}`;
    const first = await open(account, [calls[0]], key);
    const again = await open(account, [calls[0]], key);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(again.json).toEqual(first.json);
    expect((await open(account, [calls[1]], key)).status).toBe(422);

    const answer = await resolve(first, 'accepted', `answer-${account}`);
    const repeated = await resolve(first, 'accepted', `answer-${account}`);
    expect(repeated.json).toEqual(answer.json);
    expect(repeated.headers['idempotent-replayed']).toBe('true');
    expect((await resolve(first, 'rejected', `answer-${account}`)).status).toBe(422);
    expect(await balanceOf(account)).toBe(-45);
  });

  it('of a call with an open dispute is 409, and possible again once that is resolved', async () => {
    const { account, calls } = await prepaidCalls();
    const opened = await open(account, [calls[0]]);
    expect((await open(account, calls)).json['code']).toBe('conflict');
    await resolve(opened, 'rejected');
    expect((await open(account, calls)).status).toBe(201);
  });

  it('of what is no call of the account is 404', async () => {
    const { account } = await prepaidCalls();
    const other = await prepaidCalls();
    const [event] = await eventsOf(account, 'AccountOpened');
    for (const id of [other.calls[0], event?.['call_id'], crypto.randomUUID()]) {
      expect((await open(account, [id])).status).toBe(404);
    }
  });

  it('about a request that is missing here names no call, and gives nothing back', async () => {
    const { account } = await prepaidCalls();
    const before = await balanceOf(account);
    const opened = await open(account, []);
    expect(opened.json).toMatchObject({ call_ids: [], disputed_credits: 0, status: 'open' });
    const resolved = await resolve(opened, 'accepted');
    expect(resolved.json).toMatchObject({ status: 'accepted', given_back_credits: 0 });
    expect(await balanceOf(account)).toBe(before);
    expect(itemsOf(await stage.get(`/accounts/${account}/disputes`))).toEqual([resolved.json]);
  });

  it.each<[string, object]>([
    ['a call twice', { call_ids: ['A', 'A'].map(() => '0197c000-0000-7000-8000-00000000000a') }],
    ['no reason', { reason: ' ' }],
  ])('with %s is 400', async (_what, changed) => {
    const { account, calls } = await prepaidCalls();
    const body = { call_ids: calls, reason: REASON, ...changed };
    expect((await stage.post(`/accounts/${account}/disputes`, body)).status).toBe(400);
  });
});

describe('the queue of operators', () => {
  it('shows open disputes first, page by page, and by account, call and status', async () => {
    const { account, calls } = await prepaidCalls();
    const ids: string[] = [];
    for (const one of calls) ids.push(idOf(await open(account, [one])));
    await resolve(ids[0] ?? '', 'rejected');
    const queue = async (query: string) =>
      itemsOf(await stage.get(`/disputes?${query}`)).map(({ id }) => id);
    const all = await queue('limit=1000');
    expect(all.indexOf(ids[1])).toBeLessThan(all.indexOf(ids[0]));
    expect((await queue('order=desc&limit=1000')).toReversed()).toEqual(all);
    expect((await pagesOf('/disputes?limit=2')).flat()).toEqual(all);
    expect(await queue(`account_id=${account}`)).toEqual([ids[1], ids[2], ids[0]]);
    expect(await queue(`account_id=${account}&status=open`)).toEqual([ids[1], ids[2]]);
    expect(await queue(`call_id=${calls[2]}`)).toEqual([ids[2]]);
    expect((await stage.get('/disputes?after=bm9uZQ')).status).toBe(400);
  });

  it('is current for one account while no projection follows the log', async () => {
    const { account, calls } = await prepaidCalls();
    const ids: string[] = [];
    await stage.projections.stop();
    try {
      for (const one of calls) ids.push(idOf(await open(account, [one])));
      await resolve(ids[0] ?? '', 'rejected');
      const path = `/accounts/${account}/disputes`;
      const listed = async (query: string) =>
        itemsOf(await stage.get(`${path}?${query}`)).map(({ id }) => id);
      const inOrder = [ids[1], ids[2], ids[0]];
      expect(await listed('')).toEqual(inOrder);
      expect(await listed('order=desc')).toEqual(inOrder.toReversed());
      expect(await listed('status=rejected')).toEqual([ids[0]]);
      expect(await listed(`call_id=${calls[2]}`)).toEqual([ids[2]]);
      for (const order of ['asc', 'desc'] as const) {
        expect((await pagesOf(`${path}?order=${order}&limit=1`)).flat()).toEqual(
          order === 'asc' ? inOrder : inOrder.toReversed(),
        );
      }
      const queue = await stage.get(`/disputes?account_id=${account}`);
      expect(itemsOf(queue).map(({ id }) => id)).toEqual(inOrder);
    } finally {
      stage.projections.start();
    }
  });

  it('is audited with reason and answer', async () => {
    const { account, calls } = await prepaidCalls();
    const opened = await open(account, [calls[0]]);
    await resolve(opened, 'accepted');
    const audit = itemsOf(await stage.get(`/audit?account_id=${account}&order=desc&limit=5`));
    const entries = audit.map(({ type, reason }) => [type, reason]);
    expect(entries).toContainEqual(['DisputeOpened', REASON]);
    expect(entries).toContainEqual(['DisputeResolved', ANSWER]);
  });
});
