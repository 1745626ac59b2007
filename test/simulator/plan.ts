import type { Prng } from './prng.js';

const WEIGHTS = {
  call: 24,
  /** Several calls of one account at once, mostly right after its window has turned. */
  burst: 4,
  /** A call already made, once more: to the same or another process, by its id. */
  again: 8,
  grant: 4,
  adjust: 2,
  'give-back': 4,
  suspend: 1,
  resume: 3,
  'issue-key': 1,
  'revoke-key': 1,
  tick: 2,
  'void-grant': 1,
  change: 2,
  close: 1,
  budget: 4,
  'remove-budget': 1,
  'test-clock': 2,
  time: 8,
  crash: 2,
  /** A database server comes back as it was a while ago. */
  older: 4,
  /** A database server goes away, for any time, with or without the commits under way. */
  'server-fails': 3,
} as const;

export type ActionKind = keyof typeof WEIGHTS;

/** Something that clients, operators, time or an accident do. What exactly, `choices` decides. */
export interface Action {
  readonly index: number;
  readonly kind: ActionKind;
  /** Numbers from 0 to 1, so that leaving out another action changes nothing in this one. */
  readonly choices: readonly number[];
}

const CHOICES = 8;
const DECK: readonly ActionKind[] = (Object.keys(WEIGHTS) as ActionKind[]).flatMap((kind) =>
  Array.from({ length: WEIGHTS[kind] }, () => kind),
);

export const ACTIONS_MIN = 10;
export const ACTIONS_MAX = 44;

export function drawPlan(prng: Prng): Action[] {
  const count = ACTIONS_MIN + prng.below(ACTIONS_MAX - ACTIONS_MIN + 1);
  return Array.from({ length: count }, (_, index) => ({
    index,
    kind: prng.pick(DECK),
    choices: Array.from({ length: CHOICES }, () => prng.next()),
  }));
}
