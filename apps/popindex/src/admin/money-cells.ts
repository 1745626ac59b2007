import { moneyText } from '#invoice-rules/money.js';

/** Members that hold minor units, in each answer that names a currency. */
const MONEY: ReadonlySet<string> = new Set([
  'amount',
  'credit_balance',
  'credit_balance_change',
  'credited',
  'days_1_30',
  'days_31_60',
  'days_61_90',
  'due',
  'issued',
  'monthly_fee',
  'net',
  'not_due',
  'other_invoices',
  'over_90',
  'overdue',
  'owed',
  'paid',
  'prepaid',
  'price',
  'price_per_1000_credits',
  'refund',
  'set_off',
  'tax',
  'taxable',
  'to_refund',
  'total',
  'worth',
  'written_off',
]);
/** Beside one of these a balance is money; else it is credits. */
const BESIDE_BALANCE = ['amount', 'owed'] as const;

type Members = Readonly<Record<string, unknown>>;

/** With the members that are money as texts with their currency, in everything below. Pure. */
export function withMoneyTexts(value: unknown, around?: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withMoneyTexts(one, around));
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Members;
  const own = members['currency'];
  const currency = typeof own === 'string' ? own : around;
  const isMoneyBalance = BESIDE_BALANCE.some((name) => name in members);
  const isMoney = (name: string) => MONEY.has(name) || (name === 'balance' && isMoneyBalance);
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [
      name,
      currency !== undefined && Number.isSafeInteger(member) && isMoney(name)
        ? moneyText(member as number, currency)
        : withMoneyTexts(member, currency),
    ]),
  );
}
