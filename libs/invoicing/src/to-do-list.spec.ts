import { adminStageOfEachTest } from '../../../test/setup/stages.js';
import { ToDoList } from './to-do-list.js';
import type { DueMonth } from '#projections/invoices/account-closes.js';
import { call, customer } from '../../../test/setup/invoicing-stage.js';

const stage = adminStageOfEachTest();

/** So many customers, each with two closed months to be invoiced. */
async function january(customers: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < customers; index += 1) {
    const id = await customer(stage, { test_clock: undefined });
    await call(stage, id);
    ids.push(id);
  }
  stage.now = Date.parse('2027-01-02T00:00:00Z');
  await caughtUp('ledger');
  await stage.closeMonths();
  await caughtUp('invoices');
  return ids.toSorted();
}

async function caughtUp(projection: string): Promise<void> {
  const ends = (await stage.log.ends()).map(({ lane, position }) => [lane, position] as const);
  await stage.projections.catchUp(projection, new Map(ends), 10_000);
}

function listOf(pageSize: number): ToDoList {
  const { pool, log } = stage;
  return new ToDoList({ pool, log, clock: { now: () => stage.now } }, pageSize);
}

async function pagesOf(list: ToDoList, upTo: string | null = null): Promise<DueMonth[][]> {
  const pages: DueMonth[][] = [];
  for await (const page of list.months(upTo)) pages.push([...page]);
  return pages;
}

it('goes through all accounts page by page, the oldest month of each', async () => {
  const ids = await january(5);
  const pages = await pagesOf(listOf(2));
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  expect(
    pages
      .flat()
      .map(({ accountId }) => accountId)
      .toSorted(),
  ).toEqual(ids);
  expect(new Set(pages.flat().map(({ month }) => month))).toEqual(new Set(['2026-11']));
  expect(await pagesOf(listOf(2), '2026-10')).toEqual([]);
});

it('does not hand out what was dealt with, though the projection is behind', async () => {
  await january(3);
  const list = listOf(2);
  const [first, ...others] = (await pagesOf(list)).flat();
  if (first === undefined) throw new Error('Nothing is due.');
  list.markDone(first);
  expect((await pagesOf(list)).flat()).toEqual(others);
  others.forEach((month) => list.markDone(month));
  expect(await list.hasMonths(null)).toBe(false);
});

it('goes on to the next month of an account once the one before is sealed', async () => {
  const [id = ''] = await january(1);
  const list = listOf(2);
  const [[first] = []] = await pagesOf(list);
  if (first === undefined) throw new Error('Nothing is due.');
  list.markDone(first);
  expect(await pagesOf(list)).toEqual([]);
  await stage.pool.query('update invoice_month set is_sealed = true where month = $1', ['2026-11']);
  expect(await pagesOf(list)).toMatchObject([[{ accountId: id, month: '2026-12' }]]);
});

it('waits with a month that differs, until somebody asks', async () => {
  await january(1);
  const list = listOf(2);
  const [[first] = []] = await pagesOf(list);
  if (first === undefined) throw new Error('Nothing is due.');
  list.postpone('months', first.accountId);
  expect(await list.hasMonths(null)).toBe(false);
  stage.now += 11 * 60_000;
  expect(await list.hasMonths(null)).toBe(true);
  list.postpone('months', first.accountId);
  list.resume('months');
  expect(await list.hasMonths(null)).toBe(true);
});
