import fc from 'fast-check';
import { history, opening, run } from '#account/histories.suite.js';
import { initialState, recall } from '#account/state.js';
import { stateFromJson, stateToJson } from './account-row.js';

describe('an account that is written to its row and read back', () => {
  it('goes on as if nothing had happened, after each of its steps', () => {
    fc.assert(
      fc.property(opening, history, (account, steps) => {
        const decisions: unknown[] = [];
        const reloaded: unknown[] = [];
        const kept = run(account, steps, ({ decision }) => decisions.push(decision));
        const read = run(
          account,
          steps,
          ({ decision }) => reloaded.push(decision),
          (state) => recall(stateFromJson(stateToJson(state)), [...state.opened]),
        );
        expect(reloaded).toEqual(decisions);
        expect(stateToJson(read)).toBe(stateToJson(kept));
      }),
      { numRuns: 100 },
    );
  });

  it('has the members of today also when the row was written before there were all of them', () => {
    const { monthUse: _use, budgets: _budgets, totals, ...older } = initialState;
    const { billed: _billed, ...olderTotals } = totals;
    const text = JSON.stringify({ ...older, opened: undefined, totals: olderTotals, balance: 7 });
    expect(stateFromJson(text)).toEqual({ ...initialState, balance: 7 });
  });
});
