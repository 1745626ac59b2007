import type pg from 'pg';
import type { CreditNote } from '#invoice-rules/invoice.js';
import { readChanges } from '../events/month-events.js';
import type { CreditedCredits } from '../views/invoice-reads.js';

/** The credits that went with a credit note, or that it follows from, as the log records them. */
export async function readCreditedCredits(
  db: pg.Pool | pg.ClientBase,
  { id, account_id: accountId }: Pick<CreditNote, 'id' | 'account_id'>,
): Promise<CreditedCredits> {
  const all = { accountId, first: 1, last: Number.MAX_SAFE_INTEGER };
  const found = await readChanges(db, [all], ['CreditNoteSealed', 'GrantVoided']);
  const events = (found.get(accountId) ?? []).map(({ event }) => event);
  let grantId: string | undefined;
  let isKept = false;
  let credits = 0;
  for (const { type, data } of events) {
    if (type !== 'CreditNoteSealed' || data.credit_note_id !== id) continue;
    grantId = data.grant_id;
    isKept = data.kept_as !== undefined;
    for (const [, gone] of data.purchases ?? []) credits += gone;
  }
  for (const { type, data } of events) {
    if (type !== 'GrantVoided' || data.refund_by !== 'credit_note') continue;
    if (data.grant_id === grantId) credits += data.credits;
  }
  return { credits_taken_back: isKept ? 0 : credits, credits_kept: isKept ? credits : 0 };
}
