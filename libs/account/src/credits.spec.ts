import { evolveAll } from './advance.js';
import {
  adjust,
  after,
  callAt,
  grantCredits,
  HOUR,
  ownEvent,
  prepaid,
  TUESDAY,
  when,
} from './scenario.suite.js';

const NOW = TUESDAY + HOUR;

describe('credits that come in', () => {
  const indebted = after(prepaid(1, { overdraft: 100_000 }), TUESDAY, callAt(TUESDAY));

  it('repay a debt first', () => {
    const decision = when(indebted, NOW, grantCredits(60_000));
    expect(ownEvent(decision, 'CreditsGranted').data).toMatchObject({
      repaid: 49_999,
      balance: 10_001,
    });
    expect(evolveAll(indebted, decision.events).grants.map(({ left }) => left)).toEqual([10_001]);
  });

  it('are not kept as a grant when the debt takes all of them', () => {
    const decision = when(indebted, NOW, adjust(49_999));
    expect(ownEvent(decision, 'Adjusted').data).toMatchObject({ repaid: 49_999, balance: 0 });
    expect(evolveAll(indebted, decision.events).grants).toEqual([]);
  });
});
