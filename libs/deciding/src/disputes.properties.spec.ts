import fc from 'fast-check';
import type { CreditsAdjusted } from '#account/adjustments.js';
import type { CallMade } from '#account/calls.js';
import type { Command } from '#account/commands.js';
import type { ResolveDispute } from '#account/disputes.js';
import type { AccountState } from '#account/state.js';
import {
  adjust,
  callAt,
  issueApiKey,
  openAccount,
  origin,
  TUESDAY,
} from '#account/scenario.suite.js';
import { untilMet } from '#account/until-met.suite.js';
import { SimulatedLedger } from '../../../test/simulator/simulated-ledger.js';
import { adjustmentIdOf } from './command-id.js';
import type { Answer } from './submission.js';
import { ACCOUNT, TwoProcesses } from './two-processes.suite.js';

const CALLS = [0, 1, 2, 3].map((n) => `0197c000-0000-7000-9000-00000000000${n}`);
const COST = 10;
const FIRST_COST = 50_000;

/** One try, of which calls or which dispute, in which process; a commit may be lost. */
interface Attempt {
  readonly kind: 'open' | 'accept' | 'reject' | 'give-back' | 'call';
  readonly which: number;
  readonly process: number;
  readonly isLost: boolean;
}

const attempts = fc.array(
  fc.record<Attempt>({
    kind: fc.constantFrom('open', 'accept', 'accept', 'reject', 'give-back', 'call'),
    which: fc.nat({ max: 7 }),
    process: fc.nat({ max: 1 }),
    isLost: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  }),
  { maxLength: 24, size: 'max' },
);

class World extends TwoProcesses {
  private ids = 0;

  override submit(which: number, command: Command, id = this.id()): Promise<Answer<AccountState>> {
    return super.submit(which, command, id);
  }

  id(): string {
    this.ids += 1;
    return `0197c000-0000-7000-a000-${String(this.ids).padStart(12, '0')}`;
  }
}

function givingBack(callIds: readonly string[]): ResolveDispute['giveBack'] {
  const adjustments = callIds.map((callId) => ({
    call: { callId, charged: chargeOf(callId) },
    credits: chargeOf(callId),
    grantId: adjustmentIdOf(callId),
  }));
  return { after: 0, notes: [], adjustments, callIds };
}

function chargeOf(callId: string): number {
  return callId === CALLS[0] ? FIRST_COST : COST;
}

/** Calls that a dispute of that number is about: always the same. */
function disputed(which: number): readonly string[] {
  return CALLS.filter((_, index) => (index + which) % 3 !== 0);
}

/** The command of a process that believes its try is possible, which may be over by then. */
function commandOf({ kind, which }: Attempt, name: string): readonly [Command, string?] {
  if (kind === 'call') return [callAt(TUESDAY, { callId: name }), name];
  const reason = { ...origin, reason: 'Why.', input: name };
  if (kind === 'give-back') {
    const callId = CALLS[which % CALLS.length] ?? '';
    const charged = chargeOf(callId);
    const command = { ...adjust(charged, { callId, charged }), origin: reason, grantId: name };
    return [command, adjustmentIdOf(callId)];
  }
  const disputeId = `dispute-${which % 4}`;
  const callIds = disputed(which % 4);
  if (kind === 'open') return [{ command: 'open-dispute', origin, disputeId, callIds, credits: 1 }];
  const isAccepted = kind === 'accept';
  const left = isAccepted ? callIds.slice(which > 3 ? 1 : 0) : [];
  return [
    {
      command: 'resolve-dispute',
      origin: reason,
      disputeId,
      outcome: isAccepted ? 'accepted' : 'rejected',
      credits: left.reduce((sum, id) => sum + chargeOf(id), 0),
      giveBack: isAccepted ? givingBack(left) : null,
    },
  ];
}

const MET = [
  'accept done',
  'reject done',
  'open done',
  'give-back done',
  'accept conflict',
  'accept billing-moved',
];

test('a call is given back at most once, and a dispute resolved once, whoever tries and whatever is lost', async () => {
  const seen = new Set<string>();
  await untilMet(
    fc.asyncProperty(attempts, async (tried) => {
      const world = new World();
      await world.submit(0, openAccount({ overdraft: null }));
      await world.submit(0, issueApiKey());
      for (const id of CALLS) await world.submit(0, callAt(TUESDAY, { callId: id }), id);
      const answers = await Promise.all(
        tried.map(async (attempt) => {
          const name = world.id();
          const [command, id] = commandOf(attempt, name);
          if (attempt.isLost) world.lose();
          return [attempt, await world.submit(attempt.process, command, id)] as const;
        }),
      );
      const events = await world.log.readAccount(ACCOUNT, 0, 1_000);
      const adjusted = events.filter(({ type }) => type === 'Adjusted');
      const given = adjusted.map(({ data }) => JSON.parse(data) as CreditsAdjusted);
      const ids = given.map(({ call_id: id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(adjusted.map(({ callId }) => callId)).toEqual(
        ids.map((id) => adjustmentIdOf(id ?? '')),
      );
      const charged = chargesOf(events);
      const back = given.reduce((sum, { credits }) => sum + credits, 0);
      expect(await balanceOf(world)).toBe(back - charged);
      expect(resolvedWell(events)).toBe(true);
      for (const [{ kind }, answer] of answers) {
        seen.add(`${kind} ${answer.refusal?.reason ?? 'done'}`);
      }
    }),
    { numRuns: 120 },
    () => MET.every((what) => seen.has(what)),
  );
  expect([...seen]).toEqual(expect.arrayContaining(MET));
});

async function balanceOf({ log }: World): Promise<number> {
  const { accounts } = await new SimulatedLedger(log).load([ACCOUNT]);
  return accounts.get(ACCOUNT)?.state.balance ?? Number.NaN;
}

function chargesOf(events: readonly { type: string; data: string }[]): number {
  const made = events.filter(({ type }) => type === 'CallMade');
  const costs = made.flatMap(({ data }) => (JSON.parse(data) as CallMade).cost);
  return costs.reduce((sum, credits) => sum + credits, 0);
}

/** Each dispute is opened before it is resolved, and resolved before it is opened again. */
function resolvedWell(events: readonly { type: string; data: string }[]): boolean {
  const open = new Set<string>();
  return events.every(({ type, data }) => {
    const { dispute_id: id } = JSON.parse(data) as { readonly dispute_id: string };
    if (type === 'DisputeOpened') return !open.has(id) && open.add(id).size > 0;
    return type !== 'DisputeResolved' || open.delete(id);
  });
}
