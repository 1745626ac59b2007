import type { CreditsGranted } from '#account/credits.js';
import type { AccountEvent } from '#account/events.js';
import { formatMoment } from '#calendar/instant.js';
import type { AcceptedAnswer } from '#deciding/changes/account-change.js';
import type { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Change } from '#deciding/changes/change.js';
import { foundAccount, knownAccount } from '#deciding/changes/known-account.js';
import type { Invoicing } from '#invoicing/invoicing.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { purchaseInvoiceIdOf, refundIdOf } from '#projections/events/document-ids.js';
import type { AccountReads, CallView } from '#projections/views/account-reads.js';
import { invalidBody } from '#web/body.js';
import type { PageQuery } from '#web/query.js';
import type { Table } from '#web/table-answer.js';
import { Alarm } from '#event-log/alarm.js';
import type { Outcome } from '../operation/operation.js';
import type { CallCorrections } from './call-corrections.js';
import type { AdjustCredits, Adjustment, GrantCredits, GrantDetails } from './credit.schemas.js';
import type { VoidedGrant, VoidGrant } from './credit.schemas.js';
import type { GrantList } from './grant-list.js';
import { givenGrant, NO_INVOICE } from './grant-view.js';

/** How long a change waits for its document; it is issued all the same. */
const ISSUE_MS = 5_000;

const NO_CREDIT_NOTE = { credit_note_id: null, credit_note_number: null };

/** The credits of accounts: grants, and what is given or taken by hand. */
export class Credits {
  constructor(
    private readonly changes: AccountChanges,
    private readonly corrections: CallCorrections,
    private readonly loader: AccountLoader,
    private readonly grants: GrantList,
    private readonly invoicing: Invoicing,
    private readonly reads: AccountReads,
  ) {}

  /** Every grant that the account ever had, in the order in which they were given. */
  async list(accountId: string, query: PageQuery): Promise<Table<GrantDetails>> {
    return foundAccount(await this.grants.read(accountId, query));
  }

  async grant(
    accountId: string,
    change: Change,
    { note, expires_at: expiresAt, ...grant }: GrantCredits,
  ): Promise<Outcome<GrantDetails>> {
    const state = await knownAccount(this.loader, accountId);
    const made = this.changes.of(accountId, change);
    const { id } = made;
    const profile = note === null ? null : await made.keep({ note }, state);
    const { event, replayed } = await made.submit({
      command: 'grant-credits',
      grantId: id,
      ...grant,
      expiresAt,
      profile,
    });
    if (event?.type !== 'CreditsGranted') throw new Error(`Command ${id} granted nothing.`);
    const invoice = await this.invoiceOf(accountId, event.data);
    return { view: givenGrant(event, note, invoice), replayed };
  }

  /** Waits a while for the number of a purchase's own invoice. */
  private async invoiceOf(accountId: string, { grant_id, invoiced }: CreditsGranted) {
    if (invoiced === undefined) return NO_INVOICE;
    const id = purchaseInvoiceIdOf(accountId, grant_id);
    const number = await within(ISSUE_MS, this.invoicing.numberOf(accountId, id));
    return { invoice_id: id, invoice_number: number ?? null };
  }

  /**
   * Takes back what is left of a grant; where nothing is, nothing changes. Waits a while for the
   * credit note of its refund.
   */
  async void(
    accountId: string,
    grantId: string,
    change: Change,
    { refund }: VoidGrant,
  ): Promise<Outcome<VoidedGrant>> {
    const billed = refund ? await this.grants.billed(accountId, grantId) : undefined;
    const { event, replayed } = await this.changes.of(accountId, change).submit({
      command: 'void-grant',
      grantId,
      wasGiven: await this.grants.has(accountId, grantId),
      refund,
      // An older version may have credited the line and left the credits.
      refundMost: billed?.left,
    });
    return { view: await this.voided(accountId, grantId, event), replayed };
  }

  /** `event`: null where nothing was left of the grant. */
  private async voided(
    accountId: string,
    grantId: string,
    event: AccountEvent | null,
  ): Promise<VoidedGrant> {
    const { currency, balance } = await knownAccount(this.loader, accountId);
    const nothing = { refund: 0, refund_by: null, forfeited: 0, ...NO_CREDIT_NOTE };
    const base = { id: grantId, credits_taken_back: 0, currency };
    if (event?.type !== 'GrantVoided') return { ...base, ...nothing, balance };
    const { data } = event;
    const { credits, refund = 0, refund_by: by = null } = data;
    return {
      ...base,
      credits_taken_back: credits,
      refund,
      refund_by: by,
      forfeited: await this.grants.forfeitedBy(accountId, data),
      ...(by === 'credit_note' ? await this.creditNoteOf(accountId, grantId) : NO_CREDIT_NOTE),
      balance: data.balance,
    };
  }

  private async creditNoteOf(accountId: string, grantId: string) {
    const id = refundIdOf(accountId, grantId);
    const number = await within(ISSUE_MS, this.invoicing.numberOf(accountId, id));
    return { credit_note_id: id, credit_note_number: number ?? null };
  }

  async adjust(
    accountId: string,
    change: Change,
    body: AdjustCredits,
  ): Promise<Outcome<Adjustment>> {
    await knownAccount(this.loader, accountId);
    const made = this.changes.of(accountId, change);
    const { credits, call_id: callId } = body;
    const command = { command: 'adjust-credits', credits, grantId: made.id } as const;
    if (callId === null) return adjusted(made.id, await made.submit({ ...command, call: null }));
    const { at, credits_used: charged } = await this.callOf(accountId, callId);
    const call = { callId, charged, at: Date.parse(at) };
    const { id, done } = await this.corrections.submit(accountId, change, { ...command, call });
    return adjusted(id, done);
  }

  private async callOf(accountId: string, callId: string): Promise<CallView> {
    const call = await this.reads.call(accountId, callId);
    if (call !== undefined) return call;
    throw invalidBody([{ pointer: '/call_id', detail: 'The account has made no such call.' }]);
  }
}

function adjusted(id: string, { event, replayed }: AcceptedAnswer): Outcome<Adjustment> {
  if (event?.type !== 'Adjusted') throw new Error(`Command ${id} adjusted nothing.`);
  const { credits, reason, call_id, grant_id, balance } = event.data;
  const at = formatMoment(event.at);
  return { view: { id, credits, reason, call_id, grant_id, balance, at }, replayed };
}

/**
 * The result of work, waited for so long at most; undefined where it takes longer, and goes on, or
 * fails: somebody else does it then.
 */
async function within<Result>(waitMs: number, work: Promise<Result>): Promise<Result | undefined> {
  const alarm = new Alarm();
  try {
    return await Promise.race([
      work.catch(() => undefined),
      alarm.wait(waitMs).then(() => undefined),
    ]);
  } finally {
    alarm.ring();
  }
}
