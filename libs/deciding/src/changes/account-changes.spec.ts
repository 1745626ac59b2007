import { AccountingUnavailableError, OutcomeUnknownError } from '#account/charging.js';
import type { Refusal } from '#account/refusal.js';
import { AccountChanges } from './account-changes.js';
import type { Answer, Submission } from '../submission.js';

const ACCOUNT = '0197c000-0000-7000-8000-00000000000a';
const COMMAND = { command: 'tick' } as const;
const RETRY = { idempotencyKey: 'k', ifMatch: ['"3"'] };
const ONCE = { idempotencyKey: null };

function changes(submit: (submission: Submission) => Promise<Answer>): AccountChanges {
  return new AccountChanges({ submit }, { now: () => 1000 }, async () => undefined);
}

function refusing(refusal: Refusal): AccountChanges {
  return changes(async () => ({ refusal }));
}

describe('a change', () => {
  it('waits ten seconds at most for a commit that was lost from sight', async () => {
    const seen: Submission[] = [];
    const submitting = changes(async (submission) => {
      seen.push(submission);
      throw new AccountingUnavailableError('away');
    });
    const submitted = submitting.submit(ACCOUNT, 'id', RETRY, COMMAND);
    await expect(submitted).rejects.toThrow(AccountingUnavailableError);
    expect(seen).toEqual([
      {
        accountId: ACCOUNT,
        callId: 'id',
        mayExist: true,
        notAfter: 11_000,
        precondition: expect.any(Function),
        command: COMMAND,
      },
    ]);
  });

  it('whose outcome is unknown says under which id to look for it', async () => {
    const submitted = changes(async () => {
      throw new OutcomeUnknownError('id');
    }).submit(ACCOUNT, 'id', RETRY, COMMAND);
    await expect(submitted).rejects.toMatchObject({
      problem: { slug: 'outcome-unknown', members: { call_id: 'id' } },
    });
  });

  it.each<[string, Refusal]>([
    ['not-found', { reason: 'account-unknown' }],
    ['not-found', { reason: 'not-found', detail: 'x' }],
    ['conflict', { reason: 'account-exists' }],
    ['conflict', { reason: 'conflict', detail: 'x' }],
    ['precondition-failed', { reason: 'version-moved', version: 7 }],
    ['idempotency-conflict', { reason: 'idempotency-conflict', callId: 'x' }],
  ])('that is refused is answered with %s', async (slug, refusal) => {
    const submitted = refusing(refusal).submit(ACCOUNT, 'id', ONCE, COMMAND);
    await expect(submitted).rejects.toMatchObject({ problem: { slug } });
    const tried = await refusing(refusal).trySubmit(ACCOUNT, 'id', false, {}, COMMAND);
    expect(tried).toEqual({ refusal });
  });
});
