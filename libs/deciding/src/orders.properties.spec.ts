import fc from 'fast-check';
import type { CreditsGranted } from '#account/credits.js';
import type { Command } from '#account/commands.js';
import { openAccount, origin } from '#account/scenario.suite.js';
import { untilMet } from '#account/until-met.suite.js';
import { SimulatedLedger } from '../../../test/simulator/simulated-ledger.js';
import { ACCOUNT, TwoProcesses } from './two-processes.suite.js';

const KINDS = ['order', 'order', 'order-at-once', 'accept', 'accept', 'decline', 'cancel'] as const;

/** One try under one of a few idempotency keys, in one of two processes; a commit may be lost. */
interface Attempt {
  readonly kind: (typeof KINDS)[number];
  readonly key: number;
  /** Of the orders, which are named by the keys that they were asked for under. */
  readonly which: number;
  readonly process: number;
  readonly isLost: boolean;
}

const attempts = fc.array(
  fc.record<Attempt>({
    kind: fc.constantFrom(...KINDS),
    key: fc.nat({ max: 3 }),
    which: fc.nat({ max: 3 }),
    process: fc.nat({ max: 1 }),
    isLost: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  }),
  { maxLength: 24, size: 'max' },
);

function idOf(kind: Attempt['kind'], key: number): string {
  return `0197c000-0000-7000-a00${KINDS.indexOf(kind)}-00000000000${key}`;
}

/** The size of an order follows from its key: a retry asks for the same. */
function creditsOf(orderId: string): number {
  return 1_000 * (1 + Number(orderId.at(-1))) + Number(orderId.at(22));
}

function commandOf({ kind, key, which }: Attempt): Command {
  const asked = { ...origin, input: `${kind} ${key} ${which}` };
  if (kind === 'order' || kind === 'order-at-once') {
    const orderId = idOf(kind, key);
    const credits = creditsOf(orderId);
    const terms = { package: 'S', credits, price: credits * 2, currency: 'USD' };
    const isAtOnce = kind === 'order-at-once';
    return {
      command: 'order-top-up',
      origin: { ...asked, input: orderId },
      orderId,
      ...terms,
      isAtOnce,
    };
  }
  const orderId = idOf('order', which);
  return { command: `${kind}-top-up`, origin: asked, orderId };
}

const MET = [
  'order done',
  'order-at-once done',
  'accept done',
  'accept conflict',
  'decline done',
  'decline conflict',
  'cancel done',
];

test('an order is granted at most once, whoever tries, retries and whatever is lost', async () => {
  const seen = new Set<string>();
  await untilMet(
    fc.asyncProperty(attempts, async (tried) => {
      const world = new TwoProcesses();
      const opening = '0197c000-0000-7000-afff-000000000000';
      await world.submit(0, openAccount(), opening);
      const answers = await Promise.all(
        tried.map(async (attempt) => {
          if (attempt.isLost) world.lose();
          const id = idOf(attempt.kind, attempt.key);
          return [attempt, await world.submit(attempt.process, commandOf(attempt), id)] as const;
        }),
      );
      const events = await world.log.readAccount(ACCOUNT, 0, 1_000);
      expect(endedOnce(events)).toBe(true);
      const granted = events
        .filter(({ type }) => type === 'CreditsGranted')
        .map(({ data }) => JSON.parse(data) as CreditsGranted);
      for (const { grant_id: id, credits, price } of granted) {
        expect([credits, price]).toEqual([creditsOf(id), creditsOf(id) * 2]);
      }
      const sum = granted.reduce((all, { credits }) => all + credits, 0);
      const { accounts } = await new SimulatedLedger(world.log).load([ACCOUNT]);
      expect(accounts.get(ACCOUNT)?.state.balance).toBe(sum);
      for (const [{ kind }, answer] of answers) {
        seen.add(`${kind} ${answer.refusal?.reason ?? 'done'}`);
      }
    }),
    { numRuns: 120 },
    () => MET.every((what) => seen.has(what)),
  );
  expect([...seen]).toEqual(expect.arrayContaining(MET));
});

/** Each order ends at most once, after it was made, and no two are open at a time. */
function endedOnce(events: readonly { type: string; data: string }[]): boolean {
  let open: string | null = null;
  return events.every(({ type, data }) => {
    const { order_id: id, grant_id: grantId } = JSON.parse(data) as Record<string, string>;
    const wasOpen: string | null = open;
    if (type === 'AccountOpened') return true;
    open = type === 'TopUpOrdered' ? (id ?? null) : null;
    return type === 'TopUpOrdered' ? wasOpen === null : wasOpen === (id ?? grantId);
  });
}
