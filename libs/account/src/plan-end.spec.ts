import type { ChangeAccount } from './account.js';
import { advance, evolveAll } from './advance.js';
import { auditEvent, type AuditTerms } from './audit.js';
import type { AccountEvent } from './events.js';
import { evolve } from './evolve.js';
import type { AccountState } from './state.js';
import { after, changeAccount, given, openAccount, plan, terms } from './scenario.suite.js';
import { TUESDAY } from './scenario.suite.js';

const DECEMBER = Date.UTC(2026, 11, 1);
const JANUARY = Date.UTC(2027, 0, 1);
const FEBRUARY = Date.UTC(2027, 1, 1);
const auditTerms: AuditTerms = { ...terms, resourceOf: () => undefined };

type Changes = ChangeAccount['changes'];

function changed(state: AccountState, at: number, ...all: readonly Changes[]): AccountState {
  return all.reduce((one, changes) => after(one, at, changeAccount(changes)), state);
}

function at(state: AccountState, moment: number): AccountState {
  return evolveAll(state, advance(state, moment, terms.calendar));
}

describe('the overdraft after a plan', () => {
  const cases: [string, Partial<ReturnType<typeof openAccount>>, Changes[], number | null][] = [
    ['is 0 for an account that was opened with one', { plan, overdraft: null }, [], 0],
    ['is 0 also where another one was sent with it', { plan, overdraft: 700 }, [], 0],
    ['is what it was before', { overdraft: 300 }, [{ plan, overdraft: null }], 300],
    ['is without a limit where it was so before', { overdraft: null }, [{ plan }], null],
    [
      'is what it was before the first of several plans',
      { overdraft: 300 },
      [
        { plan, overdraft: null },
        { plan: { ...plan, monthly_fee: 1 }, overdraft: 9 },
      ],
      300,
    ],
  ];
  it.each(cases)('%s', (_name, opening, changes, expected) => {
    const opened = given([TUESDAY, openAccount(opening)]);
    const planned = at(changed(opened, TUESDAY, ...changes), DECEMBER);
    const ending = changed(planned, DECEMBER, { plan: null });
    expect(ending.overdraft).toBe(planned.overdraft);
    expect(at(ending, JANUARY - 1).overdraft).toBe(planned.overdraft);
    expect(at(ending, JANUARY)).toMatchObject({ plan: null, overdraft: expected });
  });

  it('is what is set while the plan is about to end', () => {
    const opened = given([TUESDAY, openAccount({ plan, overdraft: null })]);
    const together = changed(opened, TUESDAY, { plan: null, overdraft: 40 });
    expect(at(together, DECEMBER).overdraft).toBe(40);
    const later = changed(opened, TUESDAY, { plan: null }, { overdraft: 9 });
    expect(at(later, DECEMBER).overdraft).toBe(9);
  });

  it('is kept while a plan follows a plan, and returns where one never begins', () => {
    const opened = given([TUESDAY, openAccount({ overdraft: 5 })]);
    const never = changed(opened, TUESDAY, { plan, overdraft: null }, { plan: null });
    expect(at(never, DECEMBER)).toMatchObject({ plan: null, overdraft: 5, beforePlan: null });
    const again = changed(never, TUESDAY, { plan });
    expect(at(again, FEBRUARY)).toMatchObject({ plan, overdraft: null });
  });

  it('stays as it was in the log of an older version, which verifies', () => {
    const opened = given([TUESDAY, openAccount({ plan, overdraft: null })]);
    const ending = changed(opened, TUESDAY, { plan: null });
    const before = evolveAll(ending, advance(ending, DECEMBER - 1, terms.calendar));
    const [close] = advance(before, DECEMBER, terms.calendar).filter(
      ({ type }) => type === 'MonthClosed',
    );
    if (close?.type !== 'MonthClosed') throw new Error('No month was closed.');
    expect(close.data.overdraft).toBe(0);
    const { overdraft: _overdraft, ...data } = close.data;
    const old: AccountEvent = { ...close, data };
    const due = advance(before, DECEMBER, terms.calendar);
    const state = evolveAll(before, due.slice(0, due.indexOf(close)));
    expect(auditEvent(state, old, false, auditTerms)).toBeNull();
    expect(auditEvent(state, close, false, auditTerms)).toBeNull();
    expect(evolve(state, old)).toMatchObject({ plan: null, overdraft: null, beforePlan: null });
    const forged: AccountEvent = { ...close, data: { ...close.data, overdraft: 9 } };
    expect(auditEvent(state, forged, false, auditTerms)).toMatchObject({ member: 'overdraft' });
  });
});
