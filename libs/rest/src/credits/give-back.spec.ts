import { itemsOf, type Answered } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import {
  call,
  customer,
  DECEMBER,
  invoiced,
  moveClock,
  PLAN,
  SELLER,
} from '../../../../test/setup/invoicing-stage.js';
import { waitFor } from '../../../../test/setup/wait-for.js';

const stage = adminStage();

beforeAll(async () => {
  await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
});

function giveBack(callId = '', key?: string, reason = 'Wrong data.'): Promise<Answered> {
  return stage.post(`/calls/${callId}/give-back`, { reason }, key);
}

/** Types of what happened to an account since it was invoiced. */
async function recordedBy(id: string): Promise<string[]> {
  const events = itemsOf(await stage.get(`/accounts/${id}/events?limit=1000`));
  const types = events.map(({ type }) => String(type));
  return types.slice(types.lastIndexOf('InvoiceSealed') + 1);
}

async function balanceOf(id: string): Promise<number> {
  return Number((await stage.get(`/accounts/${id}`)).json['balance']);
}

describe('a call is given back', () => {
  it('by one adjustment before its month is invoiced', async () => {
    const id = await customer(stage, { plan: undefined, overdraft_credits: 100_000 });
    const [first] = await call(stage, id);
    const given = await giveBack(first);
    expect(given.status).toBe(201);
    expect(given.json).toMatchObject({
      call_id: first,
      credits: 50_000,
      instrument: 'adjustment',
      adjusted_credits: 50_000,
      credit_note_id: null,
      credit_note_number: null,
      credited_credits: 0,
    });
    expect(await balanceOf(id)).toBe(-45);
    const { json } = await stage.get(`/calls/${first}`);
    expect(json).toMatchObject({ adjusted_by: given.json['adjustment_id'], credited_by: [] });
  });

  it('by a credit note for what its month has billed, and an adjustment for the rest', async () => {
    const { id, number, calls } = await invoiced(stage);
    const both = await giveBack(calls[0]);
    expect(both.json).toMatchObject({
      instrument: 'both',
      credits: 50_000,
      // The plan's credits have paid for 1,000 of it.
      adjusted_credits: 1_000,
      credited_credits: 49_000,
    });
    const note = await stage.get(`/credit-notes/${String(both.json['credit_note_number'])}`);
    expect(note.json).toMatchObject({
      id: both.json['credit_note_id'],
      reason: 'Wrong data.',
      invoice: { number },
      lines: [{ line: 5, call_id: calls[0], amount: -61_250 }],
    });
    const small = await giveBack(calls[1]);
    expect(small.json).toMatchObject({ instrument: 'credit_note', credited_credits: 35 });
    expect(small.json['adjustment_id']).toBeNull();
    // Its month gets nothing back twice: 1,000 credits of December's plan, and 1,000 given back.
    expect(await balanceOf(id)).toBe(2_000);
    expect(await recordedBy(id)).toEqual(
      expect.arrayContaining(['CreditNoteSealed', 'Adjusted', 'CreditNoteSealed']),
    );
  });

  it('by an adjustment where it was paid for with credits, whatever was invoiced', async () => {
    const id = await customer(stage, { plan: { ...PLAN, included_credits: 0 } });
    await stage.post(`/accounts/${id}/grants`, { credits: 60_000, kind: 'promotional' });
    const calls = await call(stage, id);
    await moveClock(stage, id, DECEMBER);
    const refused = { credits: 10, reason: 'Test.', call_id: calls[2] };
    expect((await stage.post(`/accounts/${id}/adjustments`, refused)).status).toBe(409);
    const given = await giveBack(calls[2]);
    expect(given.json).toMatchObject({ instrument: 'adjustment', adjusted_credits: 10 });
    expect(await balanceOf(id)).toBe(60_000 - 50_045 + 10);
  });

  it('by an adjustment where the overage was credited before', async () => {
    const { number, calls } = await invoiced(stage);
    await stage.post(`/invoices/${number}/void`);
    const given = await giveBack(calls[1]);
    expect(given.json).toMatchObject({ instrument: 'adjustment', adjusted_credits: 35 });
  });
});

describe('giving a call back', () => {
  it('happens once under a key, and is answered again', async () => {
    const { id, calls } = await invoiced(stage);
    const key = `back-${id}`;
    const first = await giveBack(calls[0], key);
    const again = await giveBack(calls[0], key);
    expect(again.json).toEqual(first.json);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    const types = await recordedBy(id);
    expect(types.filter((type) => type === 'CreditNoteSealed')).toHaveLength(1);
    expect(types.filter((type) => type === 'Adjusted')).toHaveLength(1);
    expect((await giveBack(calls[0], key, 'Another reason.')).status).toBe(422);
    expect((await giveBack(calls[1], key)).status).toBe(422);
  });

  it.each([0, 1])('is refused the second time, also at once (call %i)', async (nth) => {
    const { id, calls } = await invoiced(stage);
    const answers = await Promise.all([1, 2, 3, 4].map(() => giveBack(calls[nth])));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([201, 409, 409, 409]);
    const notes = (await recordedBy(id)).filter((type) => type === 'CreditNoteSealed');
    expect(notes).toHaveLength(1);
  });

  it('and a credit note of the call exclude each other', async () => {
    const { number, calls } = await invoiced(stage);
    const note = { reason: 'Agreed.', call_ids: [calls[1]] };
    expect((await stage.post(`/invoices/${number}/credit-notes`, note)).status).toBe(201);
    expect((await giveBack(calls[1])).json['code']).toBe('conflict');
    expect((await giveBack(calls[2])).status).toBe(201);
    const late = { reason: 'Agreed.', call_ids: [calls[2]] };
    expect((await stage.post(`/invoices/${number}/credit-notes`, late)).status).toBe(400);
  });

  it('leaves a log that is found to be sound', async () => {
    await stage.post('/verify');
    const { verifications } = stage.logTools;
    await waitFor('the verification', () => verifications.state()?.state !== 'running', 60_000);
    expect((await stage.get('/verify')).json).toMatchObject({ status: 'done', intact: true });
  });
});
