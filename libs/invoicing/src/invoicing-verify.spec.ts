import { terms } from '#account/scenario.suite.js';
import { allProjections } from '#projections/projections/projections.js';
import { verifyLog } from '#projections/lane-threads/verify-log.js';
import { adminStage } from '../../../test/setup/stages.js';
import { invoiced, moveClock } from '../../../test/setup/invoicing-stage.js';

const PROJECTIONS = allProjections(terms.calendar);

const stage = adminStage();

beforeAll(async () => {
  const { id, number } = await invoiced(stage);
  const lines = [{ line: 6, amount: 100 }];
  await stage.post(`/invoices/${number}/credit-notes`, { reason: 'Agreed.', lines });
  await stage.post(`/invoices/${number}/payments`, { amount: 100 });
  await stage.post(`/accounts/${id}/payments`, { amount: 100_000, reference: 'All of it' });
  await stage.post(`/accounts/${id}/refunds`, { amount: 1_000 });
  await moveClock(stage, id, '2027-01-20T00:00:00Z');
  await stage.post(`/invoices/${number}/void`, { reason: 'Moved.', reissue: true });
  const sold = { credits: 1_000, kind: 'purchased', price: 900_000 };
  const bought = await stage.post(`/accounts/${id}/grants`, sold);
  const writtenOff = { number: bought.json['invoice_number'], reason: 'Insolvent.' };
  expect((await stage.post(`/accounts/${id}/write-offs`, writtenOff)).status).toBe(201);
  const ends = new Map((await stage.log.ends()).map(({ lane, position }) => [lane, position]));
  for (const { name } of PROJECTIONS) {
    expect(await stage.projections.catchUp(name, ends, 10_000)).toBe(true);
  }
  await stage.projections.stop();
});

async function differing(): Promise<string[]> {
  const { checks } = await verifyLog(stage.pool, PROJECTIONS, terms);
  return checks.flatMap(({ check, first }) => (first === null ? [] : [check]));
}

it('a verification decides all events about invoices again, and makes all rows', async () => {
  expect(await differing()).toEqual([]);
});

it.each([
  ['a document that was changed', `update document set body = body || 'x'`, 'documents'],
  ['a document that is gone', 'delete from document', 'documents'],
  ['a row of an invoice', 'update invoice set paid = paid + 1', 'projections'],
])('it finds %s', async (_what, damage, check) => {
  await stage.pool.query('create table kept as select * from document');
  await stage.pool.query(damage);
  expect(await differing()).toContain(check);
  await stage.pool.query('truncate document');
  await stage.pool.query('insert into document select * from kept');
  await stage.pool.query('drop table kept');
});
