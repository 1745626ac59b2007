/** Thrown by the oracles: the code under test has broken a rule that always holds. */
export class BrokenRule extends Error {
  override readonly name = 'BrokenRule';
}

export function hold(rule: boolean, otherwise: () => string): asserts rule {
  if (!rule) throw new BrokenRule(otherwise());
}
