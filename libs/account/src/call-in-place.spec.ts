import fc from 'fast-check';
import { applyCall, changesSumsAlone, ownState, undoCall } from './call-in-place.js';
import type { CallEvent } from './calls.js';
import { evolve } from './evolve.js';
import type { AccountState } from './state.js';
import { history, opening, run } from './histories.suite.js';
import { untilMet } from './until-met.suite.js';

/** All of a state as it is now. */
function now({ opened, ...core }: AccountState): unknown {
  return structuredClone({ ...core, opened: [...opened].toSorted() });
}

/** The call, and the same again as a repeat a day later. */
function twice(event: CallEvent): CallEvent[] {
  const data = { ...event.data, kind: 'repeat' as const };
  return [event, { ...event, at: event.at + 86_400_000, data }];
}

describe('a call that changes a state where it stands', () => {
  it('leaves what evolve makes of it, and undone in the reverse order what was before', async () => {
    const applied = { base: 0, repeat: 0, each: 0 };
    function look(before: AccountState, event: CallEvent): void {
      const own = ownState(before);
      const undos: (() => void)[] = [];
      const earlier = now(before);
      let pure = before;
      for (const call of twice(event)) {
        if (!changesSumsAlone(own, call.data)) break;
        const [here, replaced] = [now(own), applyCall(own, call)];
        pure = evolve(pure, call);
        expect(now(own)).toEqual(now(pure));
        applied[call.data.kind] += 1;
        undos.unshift(() => {
          undoCall(own, call, replaced);
          expect(now(own)).toEqual(here);
        });
      }
      for (const undo of undos) undo();
      expect(now(own)).toEqual(earlier);
      expect(now(before)).toEqual(earlier);
    }
    const check = fc.property(opening, history, (account, steps) => {
      run(account, steps, ({ before, decision }) => {
        let state = before;
        for (const event of decision.events) {
          if (event.type === 'CallMade') look(state, event);
          state = evolve(state, event);
        }
      });
    });
    const least = (): number => Math.min(applied.base, applied.repeat);
    await untilMet(check, { numRuns: 150 }, () => least() > 50);
    expect(least()).toBeGreaterThan(50);
  });
});
