import { Calendar } from '#calendar/calendar.js';
import { laneOf } from '#event-log/event-log.js';
import { FIRST_HEAD, hashBatch, hashEvent } from '#event-log/hash-chain.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import { AccountHistory } from './account-history.js';
import { apiKeyHashOf, filledAccountId, ordinalsOfLane, suffixOf } from './filled-account.js';
import { LaneRows } from './lane-rows.js';

// Over the end of a month and of two windows.
const PLAN = {
  accounts: 200,
  calls: 40,
  keys: 7,
  from: Date.parse('2026-10-26T00:00:00Z'),
  to: Date.parse('2026-11-05T00:00:00Z'),
  zone: 'UTC',
};
const TERMS = { calendar: new Calendar(PLAN.zone), cards: [RATE_CARD_1] };
const LANE = laneOf(filledAccountId(0));

/** Reads fields as the binary COPY does, each as what stands for it in text. */
function readEvents(bytes: Buffer): string[][] {
  const rows: string[][] = [];
  for (let at = 0; at < bytes.length;) {
    const fields = Array.from({ length: bytes.readInt16BE(at) }, (_, index) => index);
    at += 2;
    rows.push(
      fields.map((index) => {
        const length = bytes.readInt32BE(at);
        const value = bytes.subarray(at + 4, at + 4 + Math.max(0, length));
        at += 4 + value.length;
        return textOf(value, index);
      }),
    );
  }
  return rows;
}

function textOf(value: Buffer, index: number): string {
  if (value.length === 0) return '';
  if (index === 0) return String(value.readInt16BE());
  if (index === 1 || index === 3) return String(value.readBigInt64BE());
  if (index === 2 || index === 4) {
    return value.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }
  if (index !== 6) return value.toString();
  const ms = Number(value.readBigInt64BE() / 1_000n) + Date.UTC(2000, 0, 1);
  return new Date(ms).toISOString();
}

function filledLane(lane: number) {
  const rows = new LaneRows(lane, ordinalsOfLane(PLAN.accounts, lane), () => true);
  const parts = [...rows.parts(new AccountHistory(PLAN, TERMS).events())];
  const events = readEvents(Buffer.concat(parts.map(({ eventRows }) => eventRows)));
  const batches = parts.flatMap(({ batchRows }) => batchRows.trimEnd().split('\n'));
  return { rows, events, batches: batches.map((row) => row.split('\t')) };
}

const { rows, events, batches } = filledLane(LANE);

test('every account is in one lane, and a lane has its accounts in turns', () => {
  const lanes = Array.from({ length: 64 }, (_, index) => ordinalsOfLane(PLAN.accounts, index + 1));
  expect(lanes.flat().toSorted((a, b) => a - b)).toEqual([...Array(PLAN.accounts).keys()]);
  expect(lanes.map(({ length }) => length)).toEqual(lanes.map((_, lane) => (lane < 8 ? 4 : 3)));
});

test('positions are dense, and so are the versions of each account', () => {
  expect(events.map(([, position]) => Number(position))).toEqual(
    events.map((_, index) => index + 1),
  );
  expect(rows.end.position).toBe(events.length);
  const versions = new Map<string, number>();
  for (const [, , account = '', version] of events) {
    expect(Number(version)).toBe((versions.get(account) ?? 0) + 1);
    versions.set(account, Number(version));
  }
  expect(versions.size).toBe(4);
});

test('both chains of hashes lead to the stored heads', () => {
  const heads = new Map<string, string>();
  const hashes = events.map(
    ([, , accountId = '', version, callId = '', type = '', at = '', data]) => {
      const head = hashEvent(heads.get(accountId) ?? FIRST_HEAD, {
        accountId,
        accountVersion: Number(version),
        callId: callId === '' ? null : callId,
        type,
        at: Date.parse(at),
        data: data ?? '',
      });
      heads.set(accountId, head);
      return head;
    },
  );
  let laneHead = FIRST_HEAD;
  let done = 0;
  for (const [, last, count, hash] of batches) {
    laneHead = hashBatch(laneHead, hashes.slice(done, done + Number(count)));
    done += Number(count);
    expect([done, `\\\\x${laneHead}`]).toEqual([Number(last), hash]);
  }
  expect([done, laneHead]).toEqual([events.length, rows.end.head]);
  expect(rows.rows.map(([ordinal, { head }]) => [ordinal, head])).toEqual(
    [0, 64, 128, 192].map((ordinal) => [ordinal, heads.get(filledAccountId(ordinal))]),
  );
});

test('no account holds what is the first one’s own, and each names itself', () => {
  const first = [suffixOf(0), apiKeyHashOf(0)];
  const heads = events.filter(([, , account]) => account === filledAccountId(0));
  const others = events.filter(([, , account]) => account !== filledAccountId(0));
  expect(others.length).toBe(3 * heads.length);
  for (const row of others) for (const own of first) expect(row.join()).not.toContain(own);
  const issued = others.filter(([, , , , , type]) => type === 'ApiKeyIssued');
  expect(issued.map(([, , , , , , , data = '']) => data)).toEqual(
    [64, 128, 192].map((ordinal) => expect.stringContaining(apiKeyHashOf(ordinal))),
  );
});

test('the head that closes a month is the account’s own', () => {
  const closed = events.filter(([, , , , , type]) => type === 'MonthClosed');
  const heads = closed.map(([, , , , , , , data = '']) => JSON.parse(data) as object);
  expect(new Set(heads.map((each) => JSON.stringify(each))).size).toBe(4);
  const stored = closed.map(([, , account = '', version]) => {
    const before = events.filter((row) => row[2] === account && Number(row[3]) < Number(version));
    return before.reduce(
      (head, [, , accountId = '', accountVersion, callId = '', type = '', at = '', data = '']) =>
        hashEvent(head, {
          accountId,
          accountVersion: Number(accountVersion),
          callId: callId === '' ? null : callId,
          type,
          at: Date.parse(at),
          data,
        }),
      FIRST_HEAD,
    );
  });
  expect(heads).toEqual(stored.map((head) => expect.objectContaining({ account_head: head })));
});

test('moments never run backwards', () => {
  const moments = events.map(([, , , , , , at = '']) => Date.parse(at));
  expect(moments).toEqual(moments.toSorted((a, b) => a - b));
});
