import type pg from 'pg';
import {
  balanceChange,
  creditBalance,
  type InvoiceRecord,
  type PaymentRecorded,
  type RefundRecorded,
  type WriteOffRecorded,
} from '#account/billing-events.js';
import { refusePayment, refuseWriteOff } from '#invoice-rules/invoice-account.js';
import { allocatePayment, allocateRefund, type Allocation } from '#invoice-rules/receivables.js';
import type { Receivables, ReceivableRefusal } from '#invoice-rules/receivables.js';
import type { InvoiceState } from '#invoice-rules/invoice.js';
import { formatMoment } from '#calendar/instant.js';
import type { Change } from '#deciding/changes/change.js';
import type { ChangeResult } from '#deciding/changes/change-result.js';
import { findNumbersOf } from '#projections/invoices/issued-numbers.js';
import { readItems, type IssuedItem } from '#projections/invoices/open-items.js';
import type { InvoiceReads, PaymentView } from '#projections/views/invoice-reads.js';
import { invalidBody } from '#web/body.js';
import { problem, ProblemException } from '#web/problem.js';
import type { BillingChanges, BillingContext, Decide, RecordedChange } from './billing-changes.js';
import type {
  AccountPaymentBody,
  PaymentBody,
  RefundBody,
  WriteOffBody,
} from './invoice-bodies.js';
import { issuedInvoice } from './invoice-changes.js';
import type { Periods } from './periods.js';

/** A payment that was recorded, and how its invoice stands now. */
export interface RecordedPayment extends PaymentView {
  readonly invoice_number: string;
  readonly state: InvoiceState;
}

/** Money that came in or was paid back, and what became of it. */
export interface RecordedMoney extends PaymentView {
  /** Amounts that were set against invoices. */
  readonly applied: readonly { readonly number: string; readonly amount: number }[];
  readonly credit_balance_change: number;
}

/** A part of an invoice that was written off, and how the invoice stands now. */
export interface RecordedWriteOff extends Omit<PaymentView, 'reference'> {
  readonly invoice_number: string;
  readonly state: InvoiceState;
}

export interface PaymentsParts {
  readonly changes: Pick<BillingChanges, 'consider' | 'record'>;
  readonly reads: Pick<InvoiceReads, 'invoice'>;
  readonly periods: Pick<Periods, 'dating' | 'refuseClosed'>;
  readonly pool: pg.Pool;
}

interface StatedPayment {
  readonly date?: string | undefined;
  /** Invoices that it names. */
  readonly numbers?: readonly string[] | undefined;
}
type PaymentContext = BillingContext & { readonly items: readonly IssuedItem[] } & Receivables;
type DecideMoney = (context: PaymentContext, date: string) => InvoiceRecord;

/**
 * Records what customers pay, what they are paid back, and what they are not expected to pay any
 * more. Each is one event, decided on everything that happened to the account's invoices.
 */
export class Payments {
  constructor(private readonly parts: PaymentsParts) {}

  /** A payment of one invoice. Throws a ProblemException: `conflict` for more than is due. */
  async pay(
    number: string,
    change: Change,
    body: PaymentBody,
  ): Promise<ChangeResult<RecordedPayment>> {
    const { account_id: accountId, id } = await issuedInvoice(this.parts.pool, number);
    const { amount, reference } = body;
    const of = { ...body, numbers: [number] };
    const recorded = await this.record(accountId, change, of, (context, date) => {
      const { account } = itemOf(context, number);
      const refusal = refusePayment(account, amount);
      if (refusal !== null) {
        throw refused(refusal.detail, { due: refusal.due });
      }
      const paid = { payment_id: context.id, invoice_id: id, amount, date, reference };
      const { currency } = context.state;
      return { type: 'PaymentRecorded', data: { ...paid, currency, applied: [[id, amount]] } };
    });
    const view = moneyView(recorded, 'payment_id');
    const state = await this.stateOf(accountId, number);
    return { view: { ...view, invoice_number: number, state }, replayed: recorded.replayed };
  }

  /** A payment of an account; its rest is credit balance. */
  async receive(
    accountId: string,
    change: Change,
    body: AccountPaymentBody,
  ): Promise<ChangeResult<RecordedMoney>> {
    const recorded = await this.record(accountId, change, namedBy(body), received(body));
    return this.money(recorded, 'payment_id');
  }

  /** Throws what a payment of an account would be refused with now; it is of this currency. */
  async checkReceipt(accountId: string, currency: string, body: AccountPaymentBody): Promise<void> {
    const decide = this.dated(namedBy(body), received(body));
    await this.parts.changes.consider(accountId, (context) => {
      if (context.state.currency === currency) return decide(context);
      throw refused(`The account is in ${context.state.currency}, the payment in ${currency}.`, {});
    });
  }

  /** Money that is paid back. Throws a ProblemException: `conflict` for more than there is. */
  async refund(
    accountId: string,
    change: Change,
    body: RefundBody,
  ): Promise<ChangeResult<RecordedMoney>> {
    const { amount, reference } = body;
    const recorded = await this.record(accountId, change, body, (context, date) => {
      const { id, state } = context;
      const applied = appliedOf(allocateRefund(context, amount));
      const of = { refund_id: id, amount, date, reference, applied };
      return { type: 'RefundRecorded', data: { ...of, currency: state.currency } };
    });
    return this.money(recorded, 'refund_id');
  }

  /** Throws a ProblemException: `conflict` for more than is due. */
  async writeOff(
    accountId: string,
    change: Change,
    body: WriteOffBody,
  ): Promise<ChangeResult<RecordedWriteOff>> {
    const { number } = body;
    const stated = { ...body, numbers: [number] };
    const recorded = await this.record(accountId, change, stated, (context, date) => {
      const { account, sealed } = itemOf(context, number);
      const { amount = Math.max(0, account.due) } = body;
      const refusal = refuseWriteOff(account, amount);
      if (refusal !== null) throw refused(refusal.detail, { due: refusal.due });
      const { invoice_id, currency } = sealed;
      const of = { write_off_id: context.id, invoice_id, amount, currency, date };
      return { type: 'WriteOffRecorded', data: of };
    });
    const { event, replayed } = recorded;
    const { write_off_id: id, ...data } = JSON.parse(event.data) as WriteOffRecorded;
    const { amount, currency, date } = data;
    const state = await this.stateOf(accountId, number);
    const view = { id, amount, currency, date, recorded_at: formatMoment(event.at) };
    return { view: { ...view, invoice_number: number, state }, replayed };
  }

  private async record(
    accountId: string,
    change: Change,
    stated: StatedPayment,
    decide: DecideMoney,
  ): Promise<RecordedChange> {
    const { changes, periods } = this.parts;
    const record = () => changes.record(accountId, change, this.dated(stated, decide));
    // Today lies in no month that could be closed.
    return stated.date === undefined ? record() : periods.dating(record);
  }

  /** Decides on a date in the account's time, since what it names, and in no closed period. */
  private dated(
    { date: stated, numbers = [] }: StatedPayment,
    decide: DecideMoney,
  ): Decide<BillingContext> {
    const { periods, pool } = this.parts;
    return async (context) => {
      const { today, billing } = context;
      const date = stated ?? today;
      const items = await readItems(pool, billing);
      const named = items.filter(({ number }) => numbers.includes(number));
      if (stated !== undefined) await periods.refuseClosed(stated);
      refuseUnlikely(date, context, named);
      const balance = creditBalance(billing.events);
      const { currency } = context.state;
      return { record: decide({ ...context, items, balance, currency }, date) };
    };
  }

  private async money(
    recorded: RecordedChange,
    id: 'payment_id' | 'refund_id',
  ): Promise<ChangeResult<RecordedMoney>> {
    const { event, replayed } = recorded;
    const data = JSON.parse(event.data) as PaymentRecorded | RefundRecorded;
    const { applied = [] } = data;
    const ids = applied.map(([invoiceId]) => invoiceId);
    const issued = await findNumbersOf(this.parts.pool, ids);
    const numbers = new Map(issued.map((one) => [one.data.id, one.data.number]));
    const view = {
      ...moneyView(recorded, id),
      applied: applied.map(([of, amount]) => ({ number: numbers.get(of) ?? '', amount })),
      credit_balance_change: balanceChange({ type: event.type, data } as InvoiceRecord),
    };
    return { view, replayed };
  }

  private async stateOf(accountId: string, number: string): Promise<InvoiceState> {
    const invoice = await this.parts.reads.invoice(accountId, number);
    if (invoice === undefined) throw new Error(`Invoice ${number} is gone.`);
    return invoice.state;
  }
}

function namedBy({ date, apply }: AccountPaymentBody): StatedPayment {
  return { date, numbers: apply?.map(({ number }) => number) };
}

function received({ amount, reference, apply }: AccountPaymentBody): DecideMoney {
  return (context, date) => {
    const { id, state } = context;
    const applied = appliedOf(allocatePayment(context, amount, apply));
    const of = { payment_id: id, invoice_id: null, amount, date, reference, applied };
    return { type: 'PaymentRecorded', data: { ...of, currency: state.currency } };
  };
}

/** Nothing is paid before the account is there, nor before the month of what it pays. */
function refuseUnlikely(
  date: string,
  { today, openedOn }: BillingContext,
  named: readonly IssuedItem[],
): void {
  const months = named.map(({ sealed: { month } }) => `${month}-01`);
  const from = [openedOn, ...months].toSorted().at(-1) ?? openedOn;
  if (date >= from && date <= today) return;
  const what = from === openedOn ? 'when the account was opened' : 'when its month began';
  const detail = `A date from ${from}, ${what}, up to today, ${today}.`;
  throw invalidBody([{ pointer: '/date', detail }]);
}

function itemOf({ items }: PaymentContext, number: string): IssuedItem {
  const item = items.find((one) => one.number === number);
  if (item !== undefined) return item;
  throw invalidBody([{ pointer: '/number', detail: 'The account has no such invoice.' }]);
}

function appliedOf(allocation: Allocation) {
  if (allocation.outcome === 'allocated') return allocation.applied;
  throw refusedAllocation(allocation);
}

function refusedAllocation({ reason, index, detail }: ReceivableRefusal): ProblemException {
  const pointer = index === null ? '' : `/apply/${index}`;
  if (reason !== 'amount-out-of-range') return invalidBody([{ pointer, detail }]);
  return refused(detail, { errors: [{ pointer, detail }] });
}

function refused(detail: string, members: object): ProblemException {
  return new ProblemException(problem('conflict', detail, { ...members }));
}

function moneyView({ event }: RecordedChange, id: 'payment_id' | 'refund_id'): PaymentView {
  const data = JSON.parse(event.data) as PaymentRecorded & RefundRecorded;
  const { amount, currency, date, reference } = data;
  const recorded_at = formatMoment(event.at);
  return { id: data[id], amount, currency, date, reference, recorded_at };
}
