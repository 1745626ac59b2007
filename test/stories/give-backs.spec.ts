import { KILLS } from '../setup/long.js';
import { ADMIN_TOKEN, ask, Service, type Answer, type Customer } from '../setup/service.js';
import { waitFor } from '../setup/wait-for.js';

const PLAN = {
  monthly_fee: 4_900,
  included_credits: 20_010,
  price_per_1000_credits: 1_250,
  tax: { category: 'S', rate_percent: 19 },
};
const URLS = ['us', 'gb', 'fr', 'kr', 'jp'].flatMap((region) => [
  `/v1/latest/cat2/trends/all/popindex/${region}/skincare`,
  `/v1/latest/cat1/trends/top5/popindex/${region}/beauty`,
]);

interface Charge {
  readonly callId: string;
  readonly credits: number;
}

interface Event {
  readonly type: string;
  readonly call_id: string | null;
  readonly data: Record<string, unknown>;
}

let service: Service;
let customer: Customer;
let charges: readonly Charge[];

beforeAll(async () => {
  service = await Service.start({ DEMO: 'true' });
  [customer, charges] = await invoiced();
}, 120_000);

afterAll(() => service.stop());

/** A customer whose October is invoiced: its plan has paid for a part of the calls. */
async function invoiced(): Promise<readonly [Customer, readonly Charge[]]> {
  const clock = { test_clock: '2026-10-31T23:00:00Z' };
  const made = await service.customer(0, { ...clock, currency: 'EUR', plan: PLAN });
  const called: Charge[] = [];
  for (const url of URLS) {
    const { headers, body } = await made.get(url);
    called.push({
      callId: headers.get('call-id') ?? '',
      credits: Number(body.credits_used),
    });
  }
  await service.moveClock(made.accountId, '2026-11-01T00:00:00Z');
  return [made, called];
}

function giveBack({ callId }: Charge): Promise<Answer> {
  return ask(`${service.adminUrl}/admin/v1/calls/${callId}/give-back`, ADMIN_TOKEN, {
    method: 'POST',
    body: { reason: 'Wrong data.' },
    headers: { 'idempotency-key': `back-${callId}` },
  });
}

/** Gives all back that nobody answered yet, and kills the service at the first answer. */
async function giveBackUntilKilled(answers: Map<string, Answer>): Promise<void> {
  let killed: Promise<unknown> | undefined;
  const open = charges.filter(({ callId }) => !answers.has(callId));
  const asked = open.map(async (charge) => {
    const answer = await giveBack(charge).catch(() => null);
    killed ??= service.process.stop('SIGKILL');
    if (answer?.status === 201) answers.set(charge.callId, answer);
  });
  await Promise.all(asked);
  await killed;
  await service.restart();
}

async function eventsOf({ accountId }: Customer): Promise<readonly Event[]> {
  const { body } = await service.admin(`/accounts/${accountId}/events?limit=1000`);
  return body.items as Event[];
}

function resolve(disputeId: unknown): Promise<Answer> {
  return ask(`${service.adminUrl}/admin/v1/disputes/${String(disputeId)}/resolve`, ADMIN_TOKEN, {
    method: 'POST',
    body: { outcome: 'accepted', answer: 'Wrong data.' },
    headers: { 'idempotency-key': `answer-${String(disputeId)}` },
  });
}

test('a dispute is resolved once, with all of its credits, however often the service is killed meanwhile', async () => {
  const [disputing, called] = await invoiced();
  const path = `/accounts/${disputing.accountId}/disputes`;
  const disputes: unknown[] = [];
  for (const part of [called.slice(0, 5), called.slice(5)]) {
    const asked = { call_ids: part.map(({ callId }) => callId), reason: 'Old data.' };
    disputes.push((await service.admin(path, asked)).body['id']);
  }
  for (let kill = 0; kill < KILLS; kill += 1) {
    let killed: Promise<unknown> | undefined;
    const alone = [called[0], called[7]].map((charge) => giveBack(charge as Charge));
    const asked = [...alone, ...disputes.map(resolve)].map(async (answer) => {
      await answer.catch(() => null);
      killed ??= service.process.stop('SIGKILL');
    });
    await Promise.all(asked);
    await killed;
    await service.restart();
  }
  const resolved = await Promise.all(disputes.map(resolve));
  expect(resolved.map(({ status }) => status)).toEqual([200, 200]);
  const events = await eventsOf(disputing);
  const recorded = (type: string) => events.filter((event) => event.type === type);
  expect(recorded('DisputeResolved')).toHaveLength(2);
  const others = await Promise.all(
    [called[0], called[7]].map((charge) => giveBack(charge as Charge)),
  );
  const alone = others.filter(({ status }) => status === 201);
  const credits = [
    ...resolved.map(({ body }) => Number(body['given_back_credits'])),
    ...alone.map(({ body }) => Number(body['credits'])),
  ];
  const charged = called.reduce((sum, charge) => sum + charge.credits, 0);
  expect(credits.reduce((sum, each) => sum + each, 0)).toBe(charged);
  const adjusted = recorded('Adjusted').map(({ data }) => data['call_id']);
  expect(new Set(adjusted).size).toBe(adjusted.length);
}, 180_000);

test('a call is given back once and whole, however often the service is killed meanwhile', async () => {
  const answers = new Map<string, Answer>();
  for (let kill = 0; kill < KILLS; kill += 1) await giveBackUntilKilled(answers);
  for (const charge of charges) {
    const { status, body } = await giveBack(charge);
    expect(status).toBe(201);
    expect(body).toEqual(answers.get(charge.callId)?.body ?? body);
    const { credits, adjusted_credits: adjusted, credited_credits: credited } = body;
    expect([credits, Number(adjusted) + Number(credited)]).toEqual([
      charge.credits,
      charge.credits,
    ]);
    answers.set(charge.callId, { ...answers.get(charge.callId), body } as Answer);
  }
  const events = await eventsOf(customer);
  const bodies = [...answers.values()].map(({ body }) => body);
  const ids = (name: string) => bodies.map((body) => body[name]).filter((id) => id !== null);
  const recorded = (type: string) => events.filter((event) => event.type === type);
  const adjustments = recorded('Adjusted').map(({ call_id: id }) => id);
  const notes = recorded('CreditNoteSealed').map(({ data }) => data['credit_note_id']);
  expect(adjustments).toHaveLength(ids('adjustment_id').length);
  expect(new Set(adjustments)).toEqual(new Set(ids('adjustment_id')));
  expect(notes).toHaveLength(ids('credit_note_id').length);
  expect(new Set(notes)).toEqual(new Set(ids('credit_note_id')));
  const instruments = new Set(bodies.map(({ instrument }) => instrument));
  expect(instruments).toEqual(new Set(['adjustment', 'credit_note', 'both']));

  await service.admin('/verify', undefined, 'POST');
  const verification = async () => (await service.admin('/verify')).body;
  const isDone = async () => (await verification()).status !== 'running';
  await waitFor('the verification', isDone, 60_000);
  expect(await verification()).toMatchObject({ status: 'done', intact: true });
}, 180_000);
