import type pg from 'pg';
import type { CreditNoteSealed } from '#account/billing-events.js';
import { type CallMade, uncoveredOf } from '#account/calls.js';
import { decideCredit, type CallCredit, type CreditRefusal } from '#invoice-rules/credit-notes.js';
import type { CreditRequest } from '#invoice-rules/credit-notes.js';
import type { Invoice } from '#invoice-rules/invoice.js';
import { laneOf, type EventLog, type StoredEvent } from '#event-log/event-log.js';
import { reissueIdOf } from '#projections/events/document-ids.js';
import type { CreditNoteView, InvoiceReads, Reissue } from '#projections/views/invoice-reads.js';
import { invalidBody } from '#web/body.js';
import { problem, ProblemException } from '#web/problem.js';
import { accountingUnavailable } from '#web/refusal-problem.js';
import type { JsonFault } from '#web/strict-json.js';
import type { ChangeResult } from '#deciding/changes/change-result.js';
import type { Change } from '#deciding/changes/change.js';
import { adjustmentIdOf, keptGrantIdOf } from '#deciding/command-id.js';
import type { CreditNoteBody, VoidBody } from './invoice-bodies.js';
import { creditNoteRecord } from './credit-note-record.js';
import type { InvoiceChanges, InvoiceContext } from './invoice-changes.js';
import type { Numbering } from './numbering.js';
import { sealedDocument } from './sealed-document.js';

/** A credit note that was issued, and the invoice in the place of the voided one. */
export type IssuedNote = CreditNoteView & Partial<Reissue>;

export interface CreditNotesParts {
  readonly changes: InvoiceChanges;
  readonly numbering: Pick<Numbering, 'number'>;
  readonly reads: Pick<InvoiceReads, 'creditNote'>;
  readonly log: Pick<EventLog, 'findCalls'>;
  readonly pool: pg.Pool;
  /** Issues an invoice that is due; returns its number, or null while it has none. */
  readonly issue: (accountId: string, invoiceId: string) => Promise<string | null>;
}

const VOIDED = 'The invoice is void.';
/** Refusals that no later moment would lift: the request itself is wrong. */
const OF_REQUEST: ReadonlySet<CreditRefusal['reason']> = new Set([
  'line-unknown',
  'line-twice',
  'line-without-credits',
  'credits-out-of-range',
]);

const UNNUMBERED =
  'The credit note is recorded. It gets its number once lost positions of the log are acknowledged.';

/** Credits invoices: each credit note is sealed, then numbered, as invoices are. */
export class CreditNotes {
  constructor(private readonly parts: CreditNotesParts) {}

  /** Of all that is left; `reissue`: which is issued again, with party and tax as they are now. */
  void(
    number: string,
    change: Change,
    { reissue, settlement, keep_credits }: VoidBody,
  ): Promise<ChangeResult<IssuedNote>> {
    const { reason = VOIDED } = change;
    const settled = reissue ? 'credit_balance' : settlement;
    const body = { reason, settlement: settled, keep_credits } as const;
    return this.credit(number, { ...change, reason }, body, reissue);
  }

  /** Throws a ProblemException: `invalid-body`, or `conflict` where less is left. */
  async credit(
    number: string,
    change: Change,
    body: CreditNoteBody,
    reissue = false,
  ): Promise<ChangeResult<IssuedNote>> {
    const { changes, numbering, reads } = this.parts;
    const { id, accountId, event, replayed } = await changes.record(
      number,
      change,
      async (context) => this.decide(context, body, reissue),
    );
    const numbers = await numbering.number([sealedDocument(event)]);
    const issued = numbers.get(id);
    if (issued === undefined) throw new ProblemException(accountingUnavailable(UNNUMBERED));
    const view = await reads.creditNote(accountId, issued.number);
    if (view === undefined) throw new Error(`Credit note ${id} has no number.`);
    return { view: { ...view, ...(await this.reissued(accountId, event)) }, replayed };
  }

  private async reissued(accountId: string, { data }: StoredEvent): Promise<Partial<Reissue>> {
    const { reissued_as: id } = JSON.parse(data) as CreditNoteSealed;
    if (id === undefined) return {};
    return { reissued_as: await this.parts.issue(accountId, id), reissued_as_id: id };
  }

  /** Unused credits of a purchase go with what is credited of its line, unless they are kept. */
  private async decide(
    { invoice, account, today, id }: InvoiceContext,
    body: CreditNoteBody,
    reissue: boolean,
  ) {
    const decision = decideCredit(account, await this.requestOf(invoice, body), body.settlement);
    if (decision.outcome === 'refused') throw refused(decision.refusals, body);
    const terms = { id, issueDate: today, reason: body.reason };
    const { pool } = this.parts;
    if (reissue) {
      const cause = { reissued_as: reissueIdOf(invoice.id) };
      return { record: await creditNoteRecord(pool, invoice, decision, terms, cause) };
    }
    const record = await creditNoteRecord(pool, invoice, decision, terms);
    const purchases = decision.lines.flatMap(([n, amount]) => {
      const line = invoice.lines.find((one) => one.n === n);
      return line?.type === 'purchase' ? [[line.grant_id, amount] as const] : [];
    });
    const keptAs = body.keep_credits
      ? purchases.map(([grantId]) => keptGrantIdOf(id, grantId))
      : undefined;
    return { record, purchases, keptAs };
  }

  private async requestOf(invoice: Invoice, body: CreditNoteBody): Promise<CreditRequest> {
    const { lines, call_ids: callIds } = body;
    if (callIds !== undefined) {
      return { scope: 'calls', calls: await this.callsOf(invoice, callIds) };
    }
    if (lines === undefined) return { scope: 'whole' };
    return {
      scope: 'lines',
      lines: lines.map(({ line, amount, credits }) =>
        credits === undefined ? { line, amount: amount ?? 0 } : { line, credits },
      ),
    };
  }

  /**
   * Calls of the invoice's month that were not given back before it was issued, each as far as it
   * was billed.
   */
  private async callsOf(invoice: Invoice, callIds: readonly string[]): Promise<CallCredit[]> {
    const lane = laneOf(invoice.account_id);
    const { log } = this.parts;
    const found = await log.findCalls(callIds.map((callId) => ({ lane, callId })));
    const adjusted = await log.findCalls(
      callIds.map((callId) => ({ lane, callId: adjustmentIdOf(callId) })),
    );
    const given = new Set(adjusted.map(({ callId }) => callId));
    const { from, to } = invoice.account_version;
    const calls = new Map(
      found
        .filter(({ accountId, type }) => accountId === invoice.account_id && type === 'CallMade')
        .filter(({ accountVersion }) => accountVersion >= from && accountVersion <= to)
        .map(({ callId, data }) => [callId, uncoveredOf(JSON.parse(data) as CallMade)] as const),
    );
    const faults: JsonFault[] = [];
    const credits = callIds.flatMap((callId, index): CallCredit[] => {
      const uncovered = calls.get(callId);
      const pointer = `/call_ids/${index}`;
      if (uncovered === undefined) faults.push({ pointer, detail: 'No call of this invoice.' });
      else if (given.has(adjustmentIdOf(callId))) {
        faults.push({ pointer, detail: 'The call was given back already: leave it out.' });
      } else return [{ callId, credits: uncovered }];
      return [];
    });
    if (faults.length > 0) throw invalidBody(faults);
    return credits;
  }
}

function refused(refusals: readonly CreditRefusal[], body: CreditNoteBody): ProblemException {
  const member = body.call_ids === undefined ? 'lines' : 'call_ids';
  const errors = refusals.map(({ index, detail }) => ({
    pointer: index === null ? '' : `/${member}/${index}`,
    detail,
  }));
  if (refusals.every(({ reason }) => OF_REQUEST.has(reason))) return invalidBody(errors);
  const detail = refusals.map((refusal) => refusal.detail).join(' ');
  return new ProblemException(problem('conflict', detail, { errors }));
}
