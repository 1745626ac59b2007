import { debtOf } from '#account/grants.js';
import type { AdjustmentLine, CarriedLine, CoveredLine, FeeLine, InvoiceLine } from './invoice.js';
import type { OverageLine, PurchaseLine, UsageLine } from './invoice.js';
import { LINE_WORDS, usageText } from './line-words.js';
import { balanceOf, ContradictingFactsError, grantMonths } from './month-facts.js';
import type { GrantMonth, MonthFacts } from './month-facts.js';
import type { AdjustmentMovement, UsageSum } from './month-facts.js';
import { isMonthly, isUnbilled } from './movements.js';
import { AmountOutOfRangeError, priceOf, sumOf } from './money.js';

type UnnumberedLine<Line> = Line extends unknown ? Omit<Line, 'n'> : never;

/** Lines are made in English; `lineIn` has them in other languages. */
const WORDS = LINE_WORDS.en;

/** Thrown where a month's lines are not what the account was charged: nothing is issued then. */
export class LinesDoNotAddUp extends Error {
  override readonly name = 'LinesDoNotAddUp';
  constructor(
    readonly month: string,
    readonly what: string,
    readonly sumOfLines: number,
    readonly sumOfLog: number,
  ) {
    super(`${what} of ${month}: the lines add up to ${sumOfLines}, the log to ${sumOfLog}.`);
  }
}

function byCodePoint(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** One sum for each rule and kind, by the rule's name, first calls first. */
function collected(usage: readonly UsageSum[]): UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const { rule, kind, calls, credits } of usage) {
    const before = sums.get(`${kind} ${rule}`) ?? { calls: 0, credits: 0 };
    sums.set(`${kind} ${rule}`, {
      rule,
      kind,
      calls: sumOf([before.calls, calls], 'The calls of a rule'),
      credits: sumOf([before.credits, credits], 'The credits of a rule'),
    });
  }
  return [...sums.values()]
    .filter(({ calls }) => calls > 0)
    .toSorted((a, b) => byCodePoint(a.rule, b.rule) || byCodePoint(a.kind, b.kind));
}

function usageLine({ rule, kind, calls, credits }: UsageSum): UnnumberedLine<UsageLine> {
  const description = usageText(rule, WORDS[kind]);
  return { type: 'usage', rule, kind, description, calls, credits, amount: 0 };
}

/** Credits given show as far as they paid for this month; the rest covers a later one. */
function adjustmentLine(
  { ordinal, credits, reason, callId }: AdjustmentMovement,
  grants: ReadonlyMap<number, GrantMonth>,
): UnnumberedLine<AdjustmentLine> {
  const shown = ordinal === null ? -credits : 0 - (grants.get(ordinal)?.covered ?? 0);
  const description = `${WORDS.adjustment}${reason}`;
  return { type: 'adjustment', reason, call_id: callId, description, credits: shown, amount: 0 };
}

function coveredLine({ id, kind, covered }: GrantMonth): UnnumberedLine<CoveredLine> {
  const description = kind === 'adjustment' ? WORDS.givenBack : WORDS[kind];
  return { type: 'covered', grant_id: id, description, credits: -covered, amount: 0 };
}

/** An adjustment of this very month has a line of its own. */
function isCovering({ kind, given, covered }: GrantMonth): boolean {
  return covered > 0 && !(kind === 'adjustment' && given > 0);
}

function carriedLine(description: string, credits: number): UnnumberedLine<CarriedLine>[] {
  return credits === 0 ? [] : [{ type: 'carried', description, credits, amount: 0 }];
}

function overageLine({ month, plan, closing }: MonthFacts): UnnumberedLine<OverageLine>[] {
  const { overage } = closing;
  if (overage === 0) return [];
  if (plan === null) throw new ContradictingFactsError(month, 'an overage without a plan');
  const price = plan.price_per_1000_credits;
  return [
    {
      type: 'overage',
      description: WORDS.overage,
      billed_credits: overage,
      price_per_1000_credits: price,
      amount: priceOf(overage, price),
    },
  ];
}

/** Facts of a month from which the purchases on its invoice follow. */
export type Purchasing = Pick<MonthFacts, 'movements' | 'voidedSince'>;

/** Of a purchase that was voided before its month was invoiced, only what was used is billed. */
function purchaseLines({
  movements,
  voidedSince = [],
}: Purchasing): UnnumberedLine<PurchaseLine>[] {
  const voided = [
    ...movements.filter((movement) => movement.type === 'voided'),
    ...voidedSince,
  ].filter(isUnbilled);
  return movements
    .filter(isMonthly)
    .flatMap(({ ordinal, id, credits, price }): UnnumberedLine<PurchaseLine>[] => {
      const gone = voided.find((one) => one.ordinal === ordinal);
      if (gone?.refundBy === 'no_invoice') return [];
      return [purchaseLine(id, credits - (gone?.credits ?? 0), (price ?? 0) - (gone?.refund ?? 0))];
    });
}

/** Sum of the purchases on a month's invoice, net in minor units. */
export function billedPurchases(facts: Purchasing): number {
  return sumOf(
    purchaseLines(facts).map(({ amount }) => amount),
    'The purchases',
  );
}

/** The line that bills a purchase. */
export function purchaseLine(
  grantId: string,
  credits: number,
  amount: number,
): UnnumberedLine<PurchaseLine> {
  const line = { grant_id: grantId, granted_credits: credits, amount };
  return { type: 'purchase', description: WORDS.purchase, ...line };
}

function feeLine({ plan }: MonthFacts): UnnumberedLine<FeeLine>[] {
  if (plan === null || plan.monthly_fee === 0) return [];
  return [{ type: 'fee', description: WORDS.fee, amount: plan.monthly_fee }];
}

/** Throws LinesDoNotAddUp unless the lines are all that the account was charged. */
function checkSums(facts: MonthFacts, lines: readonly UnnumberedLine<InvoiceLine>[]): void {
  const { month, closing } = facts;
  const credits = sumOf(
    lines.map((line) => ('credits' in line ? line.credits : 0)),
    'The credits of the lines',
  );
  if (credits !== closing.overage) {
    throw new LinesDoNotAddUp(month, 'Billed credits', credits, closing.overage);
  }
  const balance = balanceOf(facts);
  if (balance !== closing.balance) {
    throw new LinesDoNotAddUp(month, 'Balance at the end', balance, closing.balance);
  }
}

/**
 * The lines of a month's invoice (contract 6), in a stable order: usage by rule, adjustments and
 * what grants covered, a debt carried in and out, then what costs money: overage, purchases, fee.
 * The sum of `credits` is the `billed_credits`. Throws what `isMonthFault` knows.
 */
export function invoiceLines(facts: MonthFacts): InvoiceLine[] {
  const grants = grantMonths(facts);
  const byOrdinal = new Map(grants.map((grant) => [grant.ordinal, grant]));
  const adjusted = facts.movements.filter((movement) => movement.type === 'adjusted');
  const { opening, closing } = facts;
  const lines: UnnumberedLine<InvoiceLine>[] = [
    ...collected(facts.usage).map(usageLine),
    ...adjusted.map((movement) => adjustmentLine(movement, byOrdinal)),
    ...grants.filter(isCovering).map(coveredLine),
    ...carriedLine(WORDS.debtBefore, debtOf(opening.balance)),
    ...carriedLine(WORDS.debtCarried, -closing.carried),
    ...overageLine(facts),
    ...purchaseLines(facts),
    ...feeLine(facts),
  ];
  checkSums(facts, lines);
  return lines.map((line, index) => ({ n: index + 1, ...line }));
}

/** Whether an error says that a month cannot be billed as it was read: others are not concerned. */
export function isMonthFault(error: unknown): error is Error {
  return (
    error instanceof LinesDoNotAddUp ||
    error instanceof ContradictingFactsError ||
    error instanceof AmountOutOfRangeError
  );
}

/**
 * Whether a month has an invoice: it has a fee, an overage, or a purchase that is invoiced with it.
 * Calls that credits paid for are on the statement of the month.
 */
export function isBillable(facts: MonthFacts): boolean {
  const { plan, closing } = facts;
  const hasFee = plan !== null && plan.monthly_fee > 0;
  return hasFee || closing.overage > 0 || purchaseLines(facts).length > 0;
}
