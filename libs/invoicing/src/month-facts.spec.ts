import { evolveAll } from '#account/advance.js';
import { initialState } from '#account/state.js';
import { terms } from '#account/scenario.suite.js';
import { draftInvoice } from '#invoice-rules/draft-invoice.js';
import type { UsageSum } from '#invoice-rules/month-facts.js';
import { monthFactsFromEvents } from '#invoice-rules/month-facts-from-events.js';
import { withTransaction } from '#database/database.js';
import { readEvent } from '#projections/snapshots/account-tail.js';
import { readable } from '#projections/texts/readable.js';
import { readClosedMonths } from '#projections/invoices/closed-months.js';
import { readLogUsage } from '#projections/invoices/log-usage.js';
import { allProjections } from '#projections/projections/projections.js';
import { adminStage } from '../../../test/setup/stages.js';
import { readClosesOf } from '#projections/invoices/account-closes.js';
import { customer, moveClock, numbersOf, TOP_5 } from '../../../test/setup/invoicing-stage.js';

const stage = adminStage();

async function caughtUp(): Promise<void> {
  const ends = new Map((await stage.log.ends()).map(({ lane, position }) => [lane, position]));
  for (const { name } of allProjections(terms.calendar)) {
    expect(await stage.projections.catchUp(name, ends, 10_000)).toBe(true);
  }
}

/** Three months with some of everything: grants that outlive a month, expiries, corrections. */
async function eventful(members: object): Promise<string> {
  const id = await customer(stage, { overdraft_credits: 100_000, ...members });
  const grant = (body: object) => stage.post(`/accounts/${id}/grants`, body);
  await grant({ credits: 30_000, kind: 'purchased', price: 4_500 });
  await grant({ credits: 5_000, kind: 'promotional', expires_at: '2026-12-10T00:00:00Z' });
  const gone = await grant({ credits: 700, kind: 'promotional', priority: 200 });
  const at = Date.parse('2026-11-24T09:00:00Z');
  const made = await stage.call(id, { at, resource: TOP_5 });
  const back = { credits: 20, reason: 'Given back.', call_id: made.id };
  await stage.post(`/accounts/${id}/adjustments`, back);
  await moveClock(stage, id, '2026-12-05T00:00:00Z');
  const december = Date.parse('2026-12-05T00:00:00Z');
  await stage.call(id, { at: december, resource: TOP_5 });
  await stage.call(id, { at: december, resource: TOP_5 });
  await stage.ask('DELETE', `/admin/v1/accounts/${id}/grants/${String(gone.json['id'])}`);
  await stage.post(`/accounts/${id}/adjustments`, { credits: -333, reason: 'Taken.' });
  await moveClock(stage, id, '2026-12-20T00:00:00Z');
  await stage.call(id, { at: Date.parse('2026-12-20T00:00:00Z') });
  await moveClock(stage, id, '2027-01-15T00:00:00Z');
  await stage.call(id, { at: Date.parse('2027-01-15T00:00:00Z') });
  await moveClock(stage, id, '2027-02-01T00:00:00Z');
  return id;
}

function sorted(usage: readonly UsageSum[]): string[] {
  return usage
    .map(({ rule, kind, calls, credits }) => `${rule} ${kind} ${calls} ${credits}`)
    .toSorted();
}

it.each([
  ['under a plan', {}, 4],
  ['without a plan', { plan: null }, 1],
])('a closed month is read as its events record it: %s', async (_name, members, invoices) => {
  const id = await eventful(members);
  await caughtUp();
  const stored = await readable(stage.pool, await stage.log.readAccount(id, 0, 10_000));
  const { closed } = monthFactsFromEvents(stored.map(readEvent), terms.calendar);
  const closes = await readClosesOf(stage.pool, id, null);
  expect(closes.map(({ month }) => month)).toEqual(['2026-11', '2026-12', '2027-01']);
  for (const [index, close] of closes.entries()) {
    const [reading] = await withTransaction(
      stage.pool,
      (client) => readClosedMonths(client, [close], terms.calendar),
      'repeatable read',
    );
    const expected = closed[index];
    if (reading === undefined || expected === undefined) throw new Error('A month is missing.');
    expect(reading.facts.movements).toEqual(expected.movements);
    expect(reading.facts.opening).toEqual(expected.opening);
    const left = expected.closing.grants.toSorted(([one], [other]) => one - other);
    expect(reading.facts.closing.grants.toSorted(([one], [other]) => one - other)).toEqual(left);
    for (const slice of [1, 2, 50_000]) {
      const summed = await readLogUsage(stage.pool, [close], slice);
      expect(sorted(summed.get(id) ?? [])).toEqual(sorted(reading.facts.usage));
    }
    const invoice = { id: 'i', accountId: id, currency: 'EUR', issueDate: '2027-02-01' };
    const parties = { dueDate: '2027-02-15', seller: {}, buyer: { name: '' } };
    const drafts = [reading.facts, expected].map((facts) =>
      draftInvoice(facts, { ...invoice, ...parties }),
    );
    expect(drafts[0]).toEqual(drafts[1]);
  }
  // The purchase, and three months where there is a fee.
  expect(await numbersOf(stage, id)).toHaveLength(invoices);
});

it('a close that an older version wrote without its grants is read all the same', async () => {
  const id = await eventful({});
  await caughtUp();
  const closes = await readClosesOf(stage.pool, id, null);
  const read = () =>
    Promise.all(
      closes.map((close) =>
        withTransaction(stage.pool, (client) => readClosedMonths(client, [close], terms.calendar)),
      ),
    );
  const before = (await read()).flat().map(({ facts }) => facts);
  const stored = await stage.log.readAccount(id, 0, 10_000);
  const state = evolveAll(initialState, stored.map(readEvent));
  expect(state.billing.invoicedMonth).toBe('2027-01');
  await stage.pool.query(
    `update event set data = (data::jsonb - 'grants')::json
      where account_id = $1 and type = 'MonthClosed'`,
    [id],
  );
  expect((await read()).flat().map(({ facts }) => facts)).toEqual(before);
});

it('an account with a call that is written otherwise has no sums to hold its month against', async () => {
  const id = await eventful({});
  await caughtUp();
  const [close] = await readClosesOf(stage.pool, id, null);
  if (close === undefined) throw new Error('No month is closed.');
  expect((await readLogUsage(stage.pool, [close])).has(id)).toBe(true);
  await stage.pool.query(
    `update event set data = data::jsonb::json
      where account_id = $1 and type = 'CallMade' and account_version <= $2`,
    [id, close.closeVersion],
  );
  expect((await readLogUsage(stage.pool, [close])).has(id)).toBe(false);
});
