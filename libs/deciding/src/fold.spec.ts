import fc from 'fast-check';
import { history, opening } from '#account/histories.suite.js';
import { issueApiKey, openAccount, terms, TUESDAY } from '#account/scenario.suite.js';
import { initialState } from '#account/state.js';
import { untilMet } from '#account/until-met.suite.js';
import { FIRST_HEAD } from '#event-log/hash-chain.js';
import type { LoadedAccount } from '#projections/snapshots/account-row.js';
import { follow, unopened } from '#projections/snapshots/account-tail.js';
import { fold, type FoldedBatch } from './fold.js';
import type { Known } from './read-ahead.js';
import { undo } from '#projections/snapshots/own-account.js';
import type { Pending } from './submission.js';

const ACCOUNT = '0197c000-0000-7000-8000-00000000000a';
/** Commands of a batch, and whether it is written. */
const batches = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.boolean()), { minLength: 30 });

function now({ state: { opened, ...core }, head }: LoadedAccount): unknown {
  return structuredClone({ ...core, opened: [...opened].toSorted(), head });
}

function pending(command: Pending['submission']['command'], ordinal: number): Pending {
  const callId = `0197c000-0000-7000-9000-${ordinal.toString(16).padStart(12, '0')}`;
  const notAfter = Number.MAX_SAFE_INTEGER;
  return {
    submission: { accountId: ACCOUNT, callId, isRetry: false, notAfter, command },
    resolve: () => undefined,
    reject: () => undefined,
    isRetry: false,
    uncertainSinceHead: null,
  };
}

function knowing(account: LoadedAccount): Known {
  const first = (): undefined => undefined;
  return { account: () => account, first, adjusted: () => false, replayed: () => false };
}

/** An account after the events of a batch, as any reader of the log makes it. */
function followed(account: LoadedAccount, { lanes }: FoldedBatch): LoadedAccount {
  return [...lanes.values()]
    .flatMap(({ lane, events }) => events.map((event) => ({ ...event, lane, position: 0 })))
    .reduce(follow, account);
}

describe('a batch', () => {
  it('leaves an account where its events lead it, or as it was where they are not written', async () => {
    let [inPlace, undone] = [0, 0];
    const check = fc.property(opening, history, batches, (changes, steps, sizes) => {
      let [account, pure, at, ordinal] = [unopened, unopened, TUESDAY, 0];
      // Each again a second later, so that calls repeat.
      const left = steps.flatMap(([pause, step]) => [
        [pause, step] as const,
        [1_000, step] as const,
      ]);
      const first = [openAccount(changes), issueApiKey(), issueApiKey({ keyId: 'key-2' })];
      for (const [size, isWritten] of [[first.length, true] as const, ...sizes]) {
        const asked =
          ordinal === 0
            ? first
            : left.splice(0, size).map(([pause, step]) => step((at += pause), account.state));
        const before = now(account);
        const folded = fold(
          asked.map((command) => pending(command, (ordinal += 1))),
          knowing(account),
          at,
          terms,
        );
        const [lane] = folded.lanes.values();
        if (lane === undefined) break;
        inPlace += lane.applied.length;
        if (isWritten) {
          pure = followed(pure, folded);
          account = lane.accounts.get(ACCOUNT) ?? account;
          account.state.opened.compact();
          lane.applied.length = 0;
        } else {
          undone += lane.applied.length;
          undo(lane.applied);
        }
        expect(now(account)).toEqual(isWritten ? now(pure) : before);
      }
    });
    await untilMet(check, { numRuns: 100 }, () => Math.min(inPlace, undone) > 10);
    expect(Math.min(inPlace, undone)).toBeGreaterThan(10);
    expect(now(unopened)).toEqual(now({ state: initialState, head: FIRST_HEAD }));
  });
});
