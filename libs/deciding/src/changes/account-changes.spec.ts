import { AccountingUnavailableError, OutcomeUnknownError } from '#account/charging.js';
import type { Refusal } from '#account/refusal.js';
import { commandIdOf } from '../command-id.js';
import { AccountChanges } from './account-changes.js';
import type { Change } from './change.js';
import type { Answer, Submission } from '../submission.js';

const ACCOUNT = '0197c000-0000-7000-8000-00000000000a';
const COMMAND = { command: 'tick' } as const;
const CHANGE: Change = {
  by: 'owner',
  requestId: 'request-1',
  idempotencyKey: 'k',
  ifMatch: ['"3"'],
  input: 'abc',
  reason: 'Asked for.',
};
const ID = commandIdOf(ACCOUNT, 'k');

function changing(submit: (submission: Submission) => Promise<Answer>, change = CHANGE) {
  const changes = new AccountChanges({
    accounting: { submit },
    profiles: { save: async (id) => ({ id, sha256: '' }) },
    clock: { now: () => 1000 },
    correctionUnder: async () => undefined,
  });
  return changes.of(ACCOUNT, change);
}

describe('a change', () => {
  it('waits ten seconds at most for a commit that was lost from sight', async () => {
    const seen: Submission[] = [];
    const change = changing(async (submission) => {
      seen.push(submission);
      throw new AccountingUnavailableError('away');
    });
    const submitted = change.submit(COMMAND);
    await expect(submitted).rejects.toThrow(AccountingUnavailableError);
    expect(seen).toEqual([
      {
        accountId: ACCOUNT,
        callId: ID,
        isRetry: true,
        notAfter: 11_000,
        precondition: { of: 'account', tags: CHANGE.ifMatch },
        command: {
          ...COMMAND,
          origin: { by: 'owner', request: 'request-1', input: 'abc', reason: 'Asked for.' },
        },
      },
    ]);
  });

  it('whose outcome is unknown says under which id to look for it', async () => {
    const submitted = changing(async () => {
      throw new OutcomeUnknownError(ID);
    }).submit(COMMAND);
    await expect(submitted).rejects.toMatchObject({
      problem: { slug: 'outcome-unknown', members: { call_id: ID } },
    });
  });

  it.each<[string, Refusal]>([
    ['not-found', { reason: 'account-unknown' }],
    ['not-found', { reason: 'not-found', detail: 'x' }],
    ['conflict', { reason: 'account-exists' }],
    ['conflict', { reason: 'conflict', detail: 'x' }],
    ['precondition-failed', { reason: 'version-moved', tag: '"7"' }],
    ['idempotency-conflict', { reason: 'idempotency-conflict', callId: 'x' }],
  ])('that is refused is answered with %s', async (slug, refusal) => {
    const change = changing(async () => ({ refusal }), { ...CHANGE, idempotencyKey: null });
    await expect(change.submit(COMMAND)).rejects.toMatchObject({ problem: { slug } });
    expect(await change.trySubmit(COMMAND)).toEqual({ refusal });
  });
});
