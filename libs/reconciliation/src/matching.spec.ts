import fc from 'fast-check';
import { resourceOfKey, latestPath } from '#rating/resource-key.js';
import { LogRows, type LogRow, type Span } from './log-rows.js';
import { Matching, type ChargedCall, type Difference } from './matching.js';

const TOLERANCE_MS = 5_000;
const TUESDAY = Date.UTC(2026, 10, 24, 9);
const KEYS = ['us', 'fr', 'jp'].map(
  (region) => `/v1/2026w48/cat1/trends/top5/popindex/${region}/beauty`,
);
const LATEST = KEYS.map((key) => {
  const resource = resourceOfKey(key);
  if (resource === undefined) throw new Error(`${key} is no key.`);
  return latestPath(resource);
});

function idOf(n: number, kind = 9): string {
  return `0197c000-0000-7000-${kind}000-${n.toString(16).padStart(12, '0')}`;
}

function callOf(n: number, at: number, changes: Partial<ChargedCall> = {}): ChargedCall {
  const key = KEYS[n % KEYS.length] ?? '';
  const fixed = {
    callId: idOf(n),
    at,
    key,
    isLatest: true,
    isRunning: true,
    credits: 10,
    requestId: null,
  };
  return { ...fixed, ...changes };
}

type WrittenRow = Omit<LogRow, 'path'> & { readonly path: string };

/** The row that a customer writes about a call, with its Call-Id unless that is left out. */
function rowOf(line: number, call: ChargedCall, changes: Partial<WrittenRow> = {}): WrittenRow {
  const path = LATEST[KEYS.indexOf(call.key)] ?? call.key;
  const { at, callId, credits } = call;
  return { line, at, path, callId, requestId: null, credits, ...changes };
}

function reconcile(logged: readonly WrittenRow[], calls: readonly ChargedCall[], span?: Span) {
  const rows = new LogRows();
  for (const row of logged) rows.add({ ...row, path: rows.placeOf(row.path) });
  const matching = new Matching(rows, TOLERANCE_MS, span);
  const differences: Difference[] = [];
  for (const call of calls.toSorted((one, other) => one.at - other.at)) {
    const difference = matching.add(call);
    if (difference !== null) differences.push(difference);
  }
  differences.push(...matching.rest());
  return { matched: matching.matched, said: differences.map((one) => words(one, rows)).toSorted() };
}

function words(difference: Difference, rows: LogRows): string {
  if (difference.kind === 'missing_there') return `missing_there ${difference.call.callId}`;
  const line = `${difference.kind} ${rows.line(difference.row)}`;
  if (difference.kind === 'missing_here') return line;
  return `${line} ${difference.call.callId} ${difference.in.join()}`;
}

const call = callOf(0, TUESDAY);
const twin = callOf(3, TUESDAY + 1_000);
const early = callOf(1, TUESDAY - 60_000);

describe('a row', () => {
  it.each<[string, readonly WrittenRow[], readonly ChargedCall[], number, readonly string[]]>([
    ['with its Call-Id is matched', [rowOf(1, call)], [call], 1, []],
    ['without one, by URL and time', [rowOf(1, call, { callId: null })], [call], 1, []],
    [
      'at the edge of the tolerance',
      [rowOf(1, call, { callId: null, at: call.at - TOLERANCE_MS })],
      [call],
      1,
      [],
    ],
    [
      'beyond the tolerance is missing, and so is the call among other rows',
      [
        rowOf(1, call, { callId: null, at: call.at + TOLERANCE_MS + 1 }),
        rowOf(2, early, { at: early.at }),
      ],
      [early, call],
      1,
      ['missing_here 1', `missing_there ${call.callId}`],
    ],
    [
      'is no witness against calls before it and after it',
      [rowOf(1, call)],
      [early, call, twin],
      1,
      [],
    ],
    [
      'with the key of the answer in place of the URL',
      [rowOf(1, call, { callId: null, path: call.key })],
      [call],
      1,
      [],
    ],
    [
      'with a Call-Id that nobody knows is matched with no other call',
      [rowOf(1, call, { callId: idOf(7) })],
      [call],
      0,
      ['missing_here 1', `missing_there ${call.callId}`],
    ],
    [
      'with another charge is different',
      [rowOf(1, call, { callId: null, credits: 35 })],
      [call],
      0,
      [`different 1 ${call.callId} credits`],
    ],
    [
      'with another charge, URL and time, by its Call-Id',
      [rowOf(1, call, { credits: 35, path: LATEST[1] ?? '', at: call.at + 60_000 })],
      [call],
      0,
      [`different 1 ${call.callId} credits,url,time`],
    ],
    [
      'that stands twice is missing once',
      [rowOf(1, call), rowOf(2, call)],
      [call],
      1,
      ['missing_here 2'],
    ],
    [
      'with the Request-Id of a later call is that call’s',
      [rowOf(1, twin, { callId: null, requestId: idOf(3, 8) })],
      [{ ...twin, requestId: idOf(3, 8) }],
      1,
      [],
    ],
    [
      'is matched with the call of its charge, though they came in another order',
      [
        rowOf(1, call, { callId: null, credits: 10, at: call.at }),
        rowOf(2, call, { callId: null, credits: 50_000, at: call.at + 100 }),
      ],
      [{ ...call, credits: 50_000 }, { ...twin }],
      2,
      [],
    ],
  ])('%s', (_what, rows, calls, matched, said) => {
    expect(reconcile(rows, calls)).toEqual({ matched, said: said.toSorted() });
  });
});

/** A planted difference: a row or a call that is left out, or a row that differs. */
type Planted = 'missing_here' | 'missing_there' | 'credits' | 'url';

const CALLS = 400;
const APART_MS = 4 * TOLERANCE_MS;

const planted = fc.array(
  fc.tuple(
    fc.integer({ min: 0, max: CALLS - 1 }),
    fc.constantFrom<Planted>('missing_here', 'missing_there', 'credits', 'url'),
  ),
  { minLength: 100, maxLength: 100 },
);

/** The calls that are compared: all of them, or some in their midst; null: no span is given. */
const compared = fc.oneof(
  fc.constant(null),
  fc.constant([0, CALLS] as const),
  fc
    .tuple(fc.integer({ min: 0, max: CALLS }), fc.integer({ min: 0, max: CALLS }))
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const),
);

/** Between call and call, also where their rows are apart by the tolerance. */
function momentBefore(n: number): number {
  return TUESDAY + n * APART_MS - APART_MS / 2;
}

describe('with a span', () => {
  const span = { from: TUESDAY - 10_000, to: TUESDAY + 500 };

  it.each<[string, readonly WrittenRow[], readonly ChargedCall[], number, readonly string[]]>([
    [
      'an empty log lacks the calls in it',
      [],
      [early, call, twin],
      0,
      [`missing_there ${call.callId}`],
    ],
    [
      'rows and calls outside of it are not compared',
      [rowOf(1, twin, { callId: null })],
      [early],
      0,
      [],
    ],
    ['nor are pairs outside of it', [rowOf(1, early, { credits: 99 })], [early], 0, []],
    [
      'a row just outside is matched with its call',
      [rowOf(1, call, { callId: null, at: span.to })],
      [call],
      1,
      [],
    ],
    [
      'a row of another time is different from its call',
      [rowOf(1, call, { at: early.at })],
      [early, call],
      0,
      [`different 1 ${call.callId} time`],
    ],
  ])('%s', (_what, rows, calls, matched, said) => {
    expect(reconcile(rows, calls, span)).toEqual({ matched, said });
  });
});

describe('of a random log', () => {
  it('all that is planted is found, and nothing else, with Call-Ids and without', () => {
    fc.assert(
      fc.property(
        planted,
        compared,
        fc.boolean(),
        fc.infiniteStream(fc.integer({ min: -1, max: 1 })),
        (plants, span, isNamed, jitter) => {
          const changes = new Map(plants);
          // Without a span nobody knows whether a log is to begin before its first row.
          if (span === null) for (const end of [0, CALLS - 1]) changes.delete(end);
          const [first, end] = span ?? [0, CALLS];
          const calls: ChargedCall[] = [];
          const rows: WrittenRow[] = [];
          const expected: string[] = [];
          for (let n = 0; n < CALLS; n += 1) {
            // Calls of one URL are so far apart that one pairing alone is right.
            const one = callOf(n, TUESDAY + n * APART_MS, {
              credits: n % 5 === 0 ? 35 : 10,
            });
            const change = changes.get(n);
            const at = one.at + (jitter.next().value ?? 0) * TOLERANCE_MS;
            const callId = isNamed ? one.callId : null;
            const row = rowOf(n + 1, one, { at, callId });
            if (change !== 'missing_here') calls.push(one);
            const plant = (...words: string[]): void => {
              if (n >= first && n < end) expected.push(...words);
            };
            if (change === 'missing_here') plant(`missing_here ${n + 1}`);
            if (change === 'missing_there') plant(`missing_there ${one.callId}`);
            else if (change === 'credits') {
              rows.push({ ...row, credits: 7 });
              plant(`different ${n + 1} ${one.callId} credits`);
            } else if (change === 'url') {
              rows.push({ ...row, path: '/v1/latest/cat1/brands/top5/popindex/us/beauty' });
              if (isNamed) plant(`different ${n + 1} ${one.callId} url`);
              else plant(`missing_here ${n + 1}`, `missing_there ${one.callId}`);
            } else rows.push(row);
          }
          const given = span && { from: momentBefore(first), to: momentBefore(end) };
          const { said } = reconcile(rows.toReversed(), calls, given ?? undefined);
          expect(said).toEqual(expected.toSorted());
        },
      ),
      { numRuns: 40 },
    );
  });

  it('each row and each call is in one pair at most, and none is lost', () => {
    const moment = fc.integer({ min: 0, max: 60_000 }).map((ms) => TUESDAY + ms);
    const both = fc.array(fc.tuple(moment, fc.nat({ max: 2 }), fc.boolean()), { maxLength: 60 });
    fc.assert(
      fc.property(both, both, (made, logged) => {
        const calls = made.map(([at, key], n) => callOf(n, at, { key: KEYS[key] ?? '' }));
        const rows = logged.map(([at, key, isNamed], n) => {
          const callId = isNamed ? idOf(n) : null;
          return rowOf(n + 1, callOf(0, at, { key: KEYS[key] ?? '' }), { callId });
        });
        const { matched, said } = reconcile(rows, calls);
        const count = (kind: string) => said.filter((one) => one.startsWith(kind)).length;
        const pairs = matched + count('different');
        expect(pairs + count('missing_here')).toBe(rows.length);
        const times = rows.map(({ at }) => at);
        const [from, to] = [Math.min(...times), Math.max(...times)];
        const within = calls.filter(({ at }) => at >= from && at <= to);
        expect(pairs + count('missing_there')).toBeGreaterThanOrEqual(within.length);
        expect(pairs + count('missing_there')).toBeLessThanOrEqual(calls.length);
      }),
    );
  });
});
