import type pg from 'pg';
import type { InvoiceSealed } from '#account/billing-events.js';
import type { RecordBilling } from '#account/billing.js';
import {
  type AccountState,
  type DueRefund,
  type DueReissue,
  momentOf,
  type UnbilledPurchase,
} from '#account/state.js';
import { decideCredit } from '#invoice-rules/credit-notes.js';
import { canonicalText } from '#invoice-rules/draft-invoice.js';
import { taxTerms } from '#invoice-rules/tax.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import type { Decider } from '#deciding/submission.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { purchaseInvoiceIdOf, refundIdOf } from '#projections/events/document-ids.js';
import { saveDocuments } from '#projections/invoices/documents.js';
import { duePurchase, dueReissue, heldInvoice } from '#projections/invoices/due-drafts.js';
import type { DueDraft, DueOf } from '#projections/invoices/due-drafts.js';
import { dropHeld, readHeldOf, saveHeld } from '#projections/invoices/held-invoices.js';
import { readReissue } from '#projections/invoices/read-reissue.js';
import { readParties } from '#projections/invoices/parties.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import type { Log } from '#web/log.js';
import { creditNoteRecord } from './credit-note-record.js';
import { findBilledPurchase } from './purchase-invoice.js';
import { sealOf, type SealedDocument } from './sealed-document.js';
import type { ToDoList } from './to-do-list.js';

export interface DueDocumentsParts {
  readonly pool: pg.Pool;
  readonly accounting: Decider;
  readonly loader: Pick<AccountLoader, 'loadCores'>;
  readonly system: Pick<SystemStream, 'read'>;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly logger: Log;
  readonly toDo: ToDoList;
  /** Numbers sealed documents; returns how many. */
  readonly issue: (sealed: readonly SealedDocument[]) => Promise<number>;
}

/** Null: not now. `moved`: something else happened to the account's invoices meanwhile. */
type SealAttempt = SealedDocument | 'moved' | null;

/** An invoice to seal, and the account as it is. */
interface DueInvoice {
  readonly accountId: string;
  readonly state: AccountState;
  readonly id: string;
  /** Ms since 1970. */
  readonly at: number;
}

const ATTEMPTS_MAX = 20;
const WAIT_MS = 10_000;
const REFUNDED = 'Unused credits of the purchase were taken back.';

/**
 * Documents that single events make due: invoices of purchases, in the place of voided ones, credit
 * notes of refunds. Each is sealed under an id that follows from its grant or invoice, and the
 * account's lane takes it once and only while it is due.
 */
export class DueDocuments {
  /** Accounts of which a purchase was held just now: its row says when to look again. */
  private readonly holding = new Set<string>();

  constructor(private readonly parts: DueDocumentsParts) {}

  /** Issues what is due of all accounts, as far as the projection knows. Returns how much. */
  async issueAll(): Promise<number> {
    const { toDo } = this.parts;
    let issued = 0;
    for (const accountId of await toDo.accountsToIssue()) {
      const own = await this.issueOf(accountId).catch((error: unknown) => {
        // One account holds up no other, and no month.
        this.parts.logger.error({ err: error, accountId }, 'A document is not issued: look at it.');
        return 0;
      });
      const isHeld = this.holding.delete(accountId);
      if (own > 0) toDo.resume('documents', accountId);
      else if (!isHeld) toDo.postpone('documents', accountId);
      issued += own;
    }
    return issued;
  }

  /** Issues what is due of one account; returns how much. */
  async issueOf(accountId: string): Promise<number> {
    const purchases = await this.sealEach(
      accountId,
      ({ billing }) => billing.unbilled.filter(({ isMonthly }) => !isMonthly),
      ({ grantId }) => grantId,
      (state, purchase) => this.purchase(accountId, state, purchase),
    );
    let issued = await this.parts.issue(purchases);
    const reissues = await this.sealEach(
      accountId,
      ({ billing }) => billing.reissues,
      ({ invoiceId }) => invoiceId,
      (state, reissue) => this.reissue(accountId, state, reissue),
    );
    issued += await this.parts.issue(reissues);
    const refunds = await this.sealEach(
      accountId,
      ({ billing }) => billing.refunds,
      ({ grantId }) => grantId,
      (state, refund) => this.refund(accountId, state, refund),
    );
    return issued + (await this.parts.issue(refunds));
  }

  /** Seals one after the other; each is decided again where something else came in between. */
  private async sealEach<Due>(
    accountId: string,
    dueIn: (state: AccountState) => readonly Due[],
    idOf: (due: Due) => string,
    seal: (state: AccountState, due: Due) => Promise<SealAttempt>,
  ): Promise<readonly SealedDocument[]> {
    const sealed: SealedDocument[] = [];
    const done = new Set<string>();
    for (let moved = 0; moved < ATTEMPTS_MAX;) {
      const { accounts } = await this.parts.loader.loadCores([accountId]);
      const state = accounts.get(accountId)?.state;
      const next = state && dueIn(state).find((due) => !done.has(idOf(due)));
      if (state === undefined || next === undefined) break;
      const sealing = await seal(state, next);
      if (sealing === 'moved') {
        moved += 1;
        continue;
      }
      done.add(idOf(next));
      if (sealing !== null) sealed.push(sealing);
    }
    return sealed;
  }

  private async purchase(
    accountId: string,
    state: AccountState,
    purchase: UnbilledPurchase,
  ): Promise<SealAttempt> {
    const { grantId, at } = purchase;
    const id = purchaseInvoiceIdOf(accountId, grantId);
    const tax = taxTerms(state.plan, state.billing.tax);
    const members = { billing_tax: tax, grant_id: grantId };
    const draft = (of: DueOf) => duePurchase(purchase, of, this.parts.calendar);
    return this.sealDue({ accountId, state, id, at }, draft, members);
  }

  /** Null: the voided one has no number yet, so that it cannot be named. */
  private async reissue(
    accountId: string,
    state: AccountState,
    due: DueReissue,
  ): Promise<SealAttempt> {
    const { pool, clock } = this.parts;
    const reissue = await readReissue(pool, accountId, state, due);
    if (reissue === undefined) return null;
    const { id, of: reissues, tax } = reissue;
    const at = momentOf(state, clock.now());
    const draft = (of: DueOf) => dueReissue(reissue, of);
    return this.sealDue({ accountId, state, id, at }, draft, { billing_tax: tax, reissues });
  }

  /**
   * Seals an invoice with the parties as they are now. Null: it is held. `at`: moment of a test
   * account at which it is due; one that was held is issued when it is corrected.
   */
  private async sealDue(
    { accountId, state, id, at }: DueInvoice,
    draft: (of: DueOf) => DueDraft,
    members: Pick<InvoiceSealed, 'billing_tax' | 'grant_id' | 'reissues'>,
  ): Promise<SealAttempt> {
    const { pool, system, calendar, clock } = this.parts;
    const [parties] = await readParties(pool, system, [state]);
    if (parties === undefined) throw new Error('An account has no parties.');
    const kept = (await readHeldOf(pool, [accountId])).get(accountId) ?? [];
    const wasHeld = kept.some(({ documentId }) => documentId === id);
    const issuedAt = state.test && !wasHeld ? at : momentOf(state, clock.now());
    const issueDate = calendar.dayAt(issuedAt).label;
    const due = draft({ accountId, state, parties, issueDate });
    if (due.reasons.length > 0) {
      await saveHeld(pool, [heldInvoice(due, false)]);
      this.holding.add(accountId);
      return null;
    }
    const text = Buffer.from(canonicalText(due.draft));
    await saveDocuments(pool, [{ accountId, mediaType: 'application/json', body: text }]);
    const data = { ...sealOf(due.draft, text, state.test, parties.rows), ...members };
    const { version } = state.billing;
    const sealing = await this.submit(accountId, id, version, { type: 'InvoiceSealed', data });
    if (wasHeld && sealing !== null && sealing !== 'moved') {
      await dropHeld(pool, [{ accountId, documentId: id }]);
    }
    return sealing;
  }

  /** Null: its invoice has no number yet. */
  private async refund(
    accountId: string,
    state: AccountState,
    { grantId, amount }: DueRefund,
  ): Promise<SealAttempt> {
    const { pool, calendar, clock } = this.parts;
    const billed = await findBilledPurchase(pool, accountId, grantId);
    if (billed === undefined) return null;
    const { invoice, account, line, version } = billed;
    // Another process may have sealed it since the state was read.
    if (version !== state.billing.version) return 'moved';
    const credit = decideCredit(account, { scope: 'lines', lines: [{ line, amount }] });
    if (credit.outcome === 'refused') {
      const [refusal] = credit.refusals;
      throw new Error(`Grant ${grantId} cannot be refunded: ${refusal?.detail ?? ''}`);
    }
    const id = refundIdOf(accountId, grantId);
    const issueDate = calendar.dayAt(momentOf(state, clock.now())).label;
    const terms = { id, issueDate, reason: REFUNDED };
    const cause = { grant_id: grantId };
    const record = await creditNoteRecord(pool, invoice, credit, terms, cause);
    return this.submit(accountId, id, version, record);
  }

  private async submit(
    accountId: string,
    callId: string,
    after: number,
    record: RecordBilling['record'],
  ): Promise<SealAttempt> {
    const { accounting, clock } = this.parts;
    const { refusal, ...answer } = await accounting.submit({
      accountId,
      callId,
      isRetry: true,
      notAfter: clock.now() + WAIT_MS,
      command: {
        command: 'record-billing',
        // Whoever seals it asks for the same, so that the second one finds the first.
        origin: { by: 'system', request: '', input: callId },
        after,
        record,
      },
    });
    if (refusal !== null) return refusal.reason === 'billing-moved' ? 'moved' : null;
    const event = 'event' in answer ? answer.event : null;
    if (event?.type !== 'InvoiceSealed' && event?.type !== 'CreditNoteSealed') {
      throw new Error(`${callId} sealed no document.`);
    }
    return { accountId, ...event };
  }
}
