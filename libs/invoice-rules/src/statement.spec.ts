import fc from 'fast-check';
import type { AccountEvent } from '#account/events.js';
import { history, opening } from '#account/histories.suite.js';
import { untilMet } from '#account/until-met.suite.js';
import { Calendar } from '#calendar/calendar.js';
import { formatMoment } from '#calendar/instant.js';
import {
  checkArithmetic,
  checkHead,
  checkStatement,
  type ExportedCall,
} from './check-statement.js';
import type { MonthFacts } from './month-facts.js';
import { monthFactsFromEvents } from './month-facts-from-events.js';
import { eventsOf, factsOf } from './months.suite.js';
import { statementOf, type DayCharges, type Statement } from './statement.js';

const AUCKLAND = new Calendar('Pacific/Auckland');
const HEADS = { openingHead: '0', accountHead: '0' };

/** All calls of an account as its holder exports them. */
function exported(events: readonly AccountEvent[]): ExportedCall[] {
  return events.flatMap((event, index) => {
    if (event.type !== 'CallMade') return [];
    const { cost, balance } = event.data;
    const credits_used = cost[0] + cost[1];
    const call = { call_id: `call-${index}`, at: formatMoment(event.at), credits_used };
    return [{ ...call, balance_after: balance }];
  });
}

function chargesOf(events: readonly AccountEvent[], { version }: MonthFacts): DayCharges[] {
  const days = new Map<string, DayCharges>();
  for (const event of events.slice(version.from - 1, version.to)) {
    if (event.type !== 'CallMade') continue;
    const day = AUCKLAND.dayAt(event.at).label;
    const { calls, credits } = days.get(day) ?? { calls: 0, credits: 0 };
    const cost = event.data.cost[0] + event.data.cost[1];
    days.set(day, { day, calls: calls + 1, credits: credits + cost });
  }
  return [...days.values()].toReversed();
}

type Look = (statement: Statement, calls: ExportedCall[]) => void;

/** A check on the statements of all closed months of a random history, and its calls. */
function anyStatement(look: Look) {
  return fc.property(opening, history, (account, steps) => {
    const events = eventsOf(account, steps, AUCKLAND);
    for (const facts of monthFactsFromEvents(events, AUCKLAND).closed) {
      const charges = chargesOf(events, facts);
      const names = { accountId: 'account-1', timeZone: AUCKLAND.zone };
      look(statementOf(facts, { ...names, ...HEADS, charges }), exported(events));
    }
  });
}

function everyStatement(look: Look): void {
  fc.assert(anyStatement(look));
}

test('a statement holds against the exported calls, whatever happened to the account', async () => {
  let calls = 0;
  const sound = anyStatement((statement, all) => {
    calls += statement.charges.length;
    expect(checkStatement(statement, all, AUCKLAND)).toEqual([]);
  });
  await untilMet(sound, {}, () => calls > 0);
  expect(calls).toBeGreaterThan(0);
});

test('a statement adds up by itself, and one that does not is found', () => {
  everyStatement((statement) => {
    expect(checkArithmetic(statement)).toEqual([]);
    const { closing_balance } = statement;
    expect(checkArithmetic({ ...statement, closing_balance: closing_balance - 1 })).toEqual([
      `The entries add up to ${closing_balance}, the closing balance is ${closing_balance - 1}.`,
    ]);
  });
});

test('a call that is dropped, or charged otherwise, is found', () => {
  everyStatement((statement, all) => {
    const { from, to } = statement.period;
    const index = all.findIndex(({ at }) => {
      const day = AUCKLAND.dayAt(Date.parse(at)).label;
      return day >= from && day <= to;
    });
    const call = all[index];
    if (call === undefined) return;
    const dearer = { ...call, credits_used: call.credits_used + 1 };
    expect(checkStatement(statement, all.toSpliced(index, 1), AUCKLAND)).not.toEqual([]);
    expect(checkStatement(statement, all.with(index, dearer), AUCKLAND)).not.toEqual([]);
  });
});

test('an expiry or a closing balance that is another one is found', () => {
  everyStatement((statement, all) => {
    const { closing_balance } = statement;
    const wrong = { ...statement, closing_balance: closing_balance + 1 };
    expect(checkStatement(wrong, all, AUCKLAND)).toEqual([
      `The closing balance is ${closing_balance}, not ${closing_balance + 1}.`,
    ]);
    const [first, ...others] = statement.expiries;
    if (first === undefined) return;
    const less = { ...statement, expiries: [{ ...first, credits: first.credits - 1 }, ...others] };
    expect(checkStatement(less, all, AUCKLAND)).not.toEqual([]);
  });
});

describe('a statement of one month', () => {
  const at = Date.UTC(2026, 9, 12, 9);
  const facts = factsOf({
    usage: [{ rule: 'top 5', kind: 'base', calls: 2, credits: 70 }],
    opening: {
      balance: 30,
      grants: [{ ordinal: 1, id: 'grant-1', kind: 'included', credits: 90, price: null, left: 30 }],
    },
    movements: [
      { type: 'granted', at, ordinal: 2, id: 'grant-2', kind: 'purchased', credits: 100, price: 9 },
      {
        type: 'adjusted',
        at: at + 1,
        ordinal: null,
        id: null,
        credits: -5,
        reason: 'Too many.',
        callId: null,
      },
      { type: 'expired', at: at + 2, ordinal: 1, credits: 30 },
      { type: 'voided', at: at + 3, ordinal: 2, credits: 25 },
    ],
    closing: { balance: 0, overage: 0, carried: 0, grants: [] },
  });
  const charges = [
    { day: '2026-10-14', calls: 1, credits: 35 },
    { day: '2026-10-13', calls: 1, credits: 35 },
  ];
  const terms = { accountId: 'account-1', timeZone: 'UTC', charges };
  const statement = statementOf(facts, { ...terms, openingHead: 'h', accountHead: 'h12' });

  it('lists everything that moved the balance', () => {
    expect(statement).toMatchObject({
      period: { from: '2026-10-01', to: '2026-10-31' },
      opening_balance: 30,
      grants: [
        { at: '2026-10-12T09:00:00.000Z', grant_id: 'grant-2', kind: 'purchased', credits: 100 },
      ],
      adjustments: [{ credits: -5, reason: 'Too many.', grant_id: null, call_id: null }],
      charges: [{ day: '2026-10-13' }, { day: '2026-10-14' }],
      expiries: [{ at: '2026-10-12T09:00:00.002Z', grant_id: 'grant-1', credits: 30 }],
      voids: [{ grant_id: 'grant-2', credits: 25 }],
      billed_credits: 0,
      closing_balance: 0,
    });
  });

  it('names the day and the call on which it differs', () => {
    const calls = [
      { call_id: 'a', at: '2026-10-13T08:00:00.000Z', credits_used: 35, balance_after: 35 },
      { call_id: 'b', at: '2026-10-14T08:00:00.000Z', credits_used: 34, balance_after: 0 },
    ];
    expect(checkStatement(statement, calls, new Calendar('UTC'))).toEqual([
      '2026-10-14: the statement has 1 calls for 35 credits, the calls are 1 for 34.',
      'b: the balance after it is 1, the call says 0.',
    ]);
  });

  const expiry = { at: '2026-10-13T08:00:00.000Z', grant_id: 'grant-1', credits: 30 };
  const pair = { ...statement, grants: [], adjustments: [], voids: [], expiries: [expiry] };
  const oneCall = { ...pair, opening_balance: 130, closing_balance: 65 };
  const one = { ...oneCall, charges: [{ day: '2026-10-13', calls: 1, credits: 35 }] };

  it.each([
    ['before', 65],
    ['after', 95],
  ])('takes what moved the balance in the millisecond of a call %s it', (_order, left) => {
    const call = { call_id: 'a', at: expiry.at, credits_used: 35, balance_after: left };
    expect(checkStatement(one, [call], new Calendar('UTC'))).toEqual([]);
  });

  it('takes calls of other months for none of its own', () => {
    const call = { call_id: 'a', at: expiry.at, credits_used: 35, balance_after: 65 };
    const others = ['2026-09-30T23:59:59.999Z', '2026-11-01T00:00:00.000Z'];
    const [before, after] = others.map((at) => ({ ...call, at, balance_after: 1 }));
    if (before === undefined || after === undefined) throw new Error('There are two.');
    expect(checkStatement(one, [before, call, after], new Calendar('UTC'))).toEqual([]);
  });

  it('is held against the events by their head', async () => {
    const short = { ...statement, account_version: { from: 1, to: 2 } };
    const events = [{ accountVersion: 1 }, { accountVersion: 2 }];
    const chain = (head: string, { accountVersion }: { accountVersion: number }) =>
      `${head}${accountVersion}`;
    expect(await checkHead(short, events, chain)).toEqual([]);
    expect(await checkHead({ ...short, account_head: 'x' }, events, chain)).toEqual([
      'The head of the events is h12, not x.',
    ]);
    const gap = ['The events are not those of the versions 1 to 2, in order.'];
    expect(await checkHead(short, events.slice(1), chain)).toEqual(gap);
    expect(await checkHead(short, events.toReversed(), chain)).toEqual(gap);
  });
});
