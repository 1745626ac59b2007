import { accountEvent, UnknownEventError } from './events.js';
import { evolve } from './evolve.js';
import { initialState } from './state.js';
import { callAt, ownEvent, prepaid, TUESDAY, when } from './scenario.suite.js';

describe('an event that was stored', () => {
  it('before there were plans opens an account without one', () => {
    const data = {
      by: 'owner',
      request: 'request-1',
      input: 'input-1',
      profile: { id: 'profile-1', sha256: '00' },
      currency: 'USD',
      overdraft: 0,
      test: false,
      test_clock: null,
      rate_limit: null,
      low_balance: null,
      rate_card: null,
    };
    const event = accountEvent('AccountOpened', TUESDAY, JSON.stringify(data));
    expect(evolve(initialState, event)).toMatchObject({
      plan: null,
      includedDue: false,
      monthSince: TUESDAY,
      budgets: [],
    });
  });

  it('by a newer version of the program is an error', () => {
    expect(() => accountEvent('AccountSold', TUESDAY, '{}')).toThrow(UnknownEventError);
  });

  it.each(['null', '[null]', '7', '"{}"'])('is refused with %s for its data', (data) => {
    expect(() => accountEvent('AccountOpened', TUESDAY, data)).toThrow('holds no object');
  });
});

describe('an account after an event', () => {
  it('has its members in one order, so that equal accounts have equal rows', () => {
    const state = prepaid(60_000);
    const call = ownEvent(when(state, TUESDAY, callAt(TUESDAY)), 'CallMade');
    const members = Object.keys(initialState);
    expect(Object.keys(state)).toEqual(members);
    expect(Object.keys(evolve(state, call))).toEqual(members);
  });
});
