import { rm } from 'node:fs/promises';
import { DAY, terms, TUESDAY } from '#account/scenario.suite.js';
import { ArchivedData } from '#backup/archives/archived-data.js';
import { ArchivedCallsError } from '#event-log/archived-call.js';
import { rebuildToEnd } from '#event-log/bring-up-projection.js';
import { readLogUsage } from '../invoices/log-usage.js';
import { PostgresAccountReads } from '../reads/postgres-account-reads.js';
import { chargedCalls } from '../usage/charged-calls.js';
import { LANE } from '../verify/sound-log.suite.js';
import {
  archive,
  archivedAmong,
  eventsOf,
  folder,
  PROJECTIONS,
  sound,
  useArchives,
} from './archives.suite.js';

const ALL = { after: null, from: null, to: null, limit: 50, order: 'asc' as const };
const ANY = { apiKeyId: null, tag: null, resourceKey: null, resource: null, region: null };

useArchives();

test('what needs the data of archived calls is refused, and never shorter', async () => {
  await archive();
  const clock = { now: () => TUESDAY + 8 * DAY };
  const reads = new PostgresAccountReads(sound.pool, terms.calendar, clock);
  const id = sound.accountId;
  const [call] = archivedAmong(await sound.log.read(LANE, 0, 1_000));
  const filter = { ...ANY, ...ALL, rule: null, kind: null };
  const month = { accountId: id, firstVersion: 1, closeVersion: 100 };
  const sums = { by: ['tag' as const], from: null, to: null, after: null, limit: 9, asOf: null };
  const refused: (() => Promise<unknown>)[] = [
    () => reads.calls(id, filter),
    () => reads.calls(id, { ...filter, region: 'us' }),
    () => reads.usage(id, sums),
    () => reads.account(id, TUESDAY),
    () => reads.call(null, call?.callId ?? ''),
    () => reads.events(id, null, 50),
    () => readLogUsage(sound.pool, [month]),
    () => chargedCalls(sound.pool, id, 0, TUESDAY + 9 * DAY).next(),
    () => rebuildToEnd(sound.pool, PROJECTIONS[0] as (typeof PROJECTIONS)[number]),
  ];
  for (const read of refused) await expect(read()).rejects.toThrow(/archived in 1|archive 1/);
  const later = { ...filter, from: TUESDAY + DAY };
  expect((await reads.calls(id, later))?.items).toHaveLength(2);
  expect((await reads.usage(id, { ...sums, by: ['day'] }))?.items).toHaveLength(2);
  expect((await reads.account(id))?.balance).toBeDefined();
});

test('lists of calls and events are read from files', async () => {
  const clock = { now: () => TUESDAY + 8 * DAY };
  const data = new ArchivedData(folder);
  const reads = new PostgresAccountReads(sound.pool, terms.calendar, clock, undefined, data);
  const { accountId: id } = sound;
  const filter = { ...ANY, ...ALL, rule: null, kind: null };
  const listed = async () => [await reads.calls(id, filter), await reads.events(id, null, 50)];
  const before = await listed();
  await archive();
  expect(await listed()).toEqual(before);
  await expect(reads.calls(id, { ...filter, region: 'us' })).rejects.toThrow(/archived in 1/);
  await rm(folder, { recursive: true });
  await expect(reads.calls(id, filter)).rejects.toThrow(ArchivedCallsError);
});

const BY_TAGS = {
  by: ['day' as const, 'rule' as const, 'tags' as const],
  from: null,
  to: null,
  after: null,
  limit: 1_000,
  asOf: null,
};

test('sums by all tags are read from files and from the log', async () => {
  const clock = { now: () => TUESDAY + 8 * DAY };
  const data = new ArchivedData(folder);
  const reads = new PostgresAccountReads(sound.pool, terms.calendar, clock, undefined, data);
  const { accountId: id } = sound;
  const before = await reads.usage(id, BY_TAGS);
  expect(before?.items.length).toBeGreaterThan(1);
  await archive();
  expect(await reads.usage(id, BY_TAGS)).toEqual(before);
  const unread = new PostgresAccountReads(sound.pool, terms.calendar, clock);
  await expect(unread.usage(id, BY_TAGS)).rejects.toThrow(/archived in 1/);
  await rm(folder, { recursive: true });
  await expect(reads.usage(id, BY_TAGS)).rejects.toThrow(ArchivedCallsError);
});

test('a whole list is refused before it begins, also where its first calls are in the log', async () => {
  const clock = { now: () => TUESDAY + 8 * DAY };
  const data = new ArchivedData(folder);
  const reads = new PostgresAccountReads(sound.pool, terms.calendar, clock, undefined, data);
  const { accountId: id } = sound;
  const newest = { ...ANY, ...ALL, rule: null, kind: null, order: 'desc' as const };
  const later = { ...newest, from: TUESDAY + DAY, region: 'us' };
  await archive();
  expect(await reads.everyCall(id, newest)).toBeDefined();
  await expect(reads.everyCall(id, { ...newest, region: 'us' })).rejects.toThrow(/archive 1/);
  expect(await reads.everyCall(id, later)).toBeDefined();
  await reads.requireCalls(id, 0, TUESDAY + DAY);
  await rm(folder, { recursive: true });
  await expect(reads.everyCall(id, newest)).rejects.toThrow(ArchivedCallsError);
  for (const account of [id, null]) {
    await expect(reads.requireCalls(account, 0, TUESDAY + DAY)).rejects.toThrow(/archive 1/);
    await reads.requireCalls(account, TUESDAY + 7 * DAY, TUESDAY + 8 * DAY);
  }
});

test('a call is explained from its file', async () => {
  const clock = { now: () => TUESDAY + 8 * DAY };
  const { pool } = sound;
  const data = new ArchivedData(folder);
  const reads = new PostgresAccountReads(pool, terms.calendar, clock, undefined, data);
  const [id] = (await eventsOf()).flatMap(({ type, callId }) =>
    type === 'CallMade' ? [callId] : [],
  );
  const before = await reads.call(null, id ?? '');
  await archive();
  expect(await reads.call(null, id ?? '')).toEqual(before);
  await rm(folder, { recursive: true });
  await expect(reads.call(null, id ?? '')).rejects.toThrow(ArchivedCallsError);
});
