import type { CreditedPurchase, CreditNoteSealed, InvoiceSealed } from './billing-events.js';
import { isOfMonth } from './billing-events.js';
import type { BilledPurchase, ChangeBilling, RecordBilling } from './commands.js';
import type { AccountEvent, Origin, Tax } from './events.js';
import { creditsLeft } from './months.js';
import { conflict, type Refusal } from './refusal.js';
import { balanceChange } from './settlement.js';
import type { AccountState } from './state.js';
import { creditsWorth, worthOf } from './worth.js';

/** Null where the same details are in force. An erased account gets no names any more. */
export function changeBilling(
  state: AccountState,
  { origin, profile, tax, purchases }: ChangeBilling,
  at: number,
): AccountEvent | Refusal | null {
  if (state.erasedAt !== null) return { reason: 'account-closed' };
  const { billing } = state;
  const isSame = isSameTax(billing.tax, tax) && billing.purchases === purchases;
  if (billing.profile?.sha256 === profile.sha256 && isSame) return null;
  const said = { ...(tax !== undefined && { tax }), ...(purchases !== undefined && { purchases }) };
  return { type: 'BillingDetailsChanged', at, data: { ...origin, profile, ...said } };
}

/** Whatever the order of their members. */
function isSameTax(one?: Tax, other?: Tax): boolean {
  return (
    one?.category === other?.category &&
    one?.rate_percent === other?.rate_percent &&
    one?.reason === other?.reason
  );
}

/** A month is invoiced once, after its close, and never one before a month that was invoiced. */
function refuseMonth({ lastClose, billing }: AccountState, month: string): Refusal | null {
  if (lastClose === null || month > lastClose.month) return conflict(`${month} is not closed yet.`);
  if (billing.invoicedMonth === null || month > billing.invoicedMonth) return null;
  return conflict(`${billing.invoicedMonth} is invoiced, so that ${month} cannot be any more.`);
}

/** A month's purchases are invoiced as they are: unused credits may have been voided since. */
function refusePurchases(
  { billing: { unbilled, version } }: AccountState,
  month: string,
  bills: readonly BilledPurchase[],
): Refusal | null {
  const due = unbilled.filter((one) => one.month === month);
  const isSame =
    bills.length === due.length &&
    due.every(({ grantId, credits, amount }, index) => {
      const [id, billedCredits, net] = bills[index] ?? [];
      return id === grantId && billedCredits === credits && net === amount;
    });
  return isSame ? null : { reason: 'billing-moved', version };
}

/** A purchase is invoiced once, and as it is: its unused credits may have been voided since. */
function refuseInvoice(
  state: AccountState,
  data: Omit<InvoiceSealed, keyof Origin>,
  bills: RecordBilling['bills'],
): Refusal | null {
  if (isOfMonth(data)) {
    const refusal = refuseMonth(state, data.month);
    if (refusal !== null || bills === undefined) return refusal;
    return refusePurchases(state, data.month, bills);
  }
  const { unbilled, reissues, version } = state.billing;
  const { invoice_id: id, grant_id: grantId, reissues: of, net } = data;
  if (of !== undefined) {
    const isDue = reissues.some((one) => one.invoiceId === id && one.of === of);
    return isDue ? null : conflict(`Invoice ${of} is not to be issued again.`);
  }
  const purchase = unbilled.find((one) => one.grantId === grantId && !one.isMonthly);
  if (purchase === undefined) return conflict(`Purchase ${grantId ?? ''} is not to be invoiced.`);
  return purchase.amount === net ? null : { reason: 'billing-moved', version };
}

function refuseRefund(
  { billing }: AccountState,
  { grant_id: grantId }: Omit<CreditNoteSealed, keyof Origin>,
): Refusal | null {
  if (grantId === undefined || billing.refunds.some((one) => one.grantId === grantId)) return null;
  return conflict(`No credit note is due for grant ${grantId}.`);
}

/** The unused credits of a purchase that go with an amount of its price; at most all of them. */
function creditedPurchase(
  { grants }: AccountState,
  [grantId, amount]: readonly [string, number],
): CreditedPurchase | Refusal {
  const grant = grants.find(({ id }) => id === grantId);
  const worth = grant?.worth === undefined ? 0 : worthOf(grant.worth, grant.left);
  if (grant === undefined || amount > worth) {
    const left = grant?.left ?? 0;
    return conflict(
      `Of purchase ${grantId} ${left} credits are unused, which are worth ${worth}: at most that ` +
        `can be given back. All else of it is used, has expired or was taken back.`,
    );
  }
  return [grantId, creditsWorth(amount, grant.left, worth), amount];
}

/**
 * Records what was decided about an invoice, which takes all that happened to the account's
 * invoices: refused when something happened to them since, so that nothing is credited or paid
 * twice. Unused credits go with what is credited of their purchase, or are kept as promotional
 * ones.
 */
export function recordBilling(
  state: AccountState,
  { origin, after, record, purchases, keptAs, bills }: RecordBilling,
  at: number,
): AccountEvent | Refusal {
  const { version, balance } = state.billing;
  if (after !== version) return { reason: 'billing-moved', version };
  if (balance + balanceChange(record) < 0) return conflict(`The credit balance is ${balance}.`);
  if (record.type === 'InvoiceSealed') {
    const refusal = refuseInvoice(state, record.data, bills);
    if (refusal !== null) return refusal;
  }
  if (record.type !== 'CreditNoteSealed') {
    return { type: record.type, at, data: { ...origin, ...record.data } } as AccountEvent;
  }
  const refusal = refuseRefund(state, record.data);
  if (refusal !== null) return refusal;
  const credited: CreditedPurchase[] = [];
  for (const asked of purchases ?? []) {
    const purchase = creditedPurchase(state, asked);
    if ('reason' in purchase) return purchase;
    credited.push(purchase);
  }
  const kept = keptAs === undefined || credited.length === 0 ? {} : { kept_as: keptAs };
  const credits = credited.reduce((sum, [, gone]) => sum + gone, 0);
  if (keptAs !== undefined && credits > creditsLeft(state)) {
    return conflict(
      `Only ${creditsLeft(state)} more credits can be granted: these cannot be kept.`,
    );
  }
  const going = credited.length > 0 ? { purchases: credited, ...kept } : {};
  return { type: 'CreditNoteSealed', at, data: { ...origin, ...record.data, ...going } };
}
