import type { Value } from '#invoice-rules/credit-liability.js';
import { formatAmount, sumOf } from '#invoice-rules/money.js';
import { csvHeader, csvRows, csvTable, type Column } from '#web/csv.js';
import type { Liability } from './credit-liabilities.js';

const PARTS = ['opening', 'sold', 'used', 'expired', 'voided', 'closing'] as const;
type Parts = Readonly<Record<(typeof PARTS)[number], Value>>;

/** The sum over all grants in one currency. */
interface Total extends Parts {
  readonly currency: string;
}

interface Row extends Parts {
  readonly type: 'grant' | 'total';
  readonly account_id?: string;
  readonly grant_id?: string;
  readonly currency: string;
  readonly account_closed?: boolean;
}

interface Liabilities {
  readonly items: readonly Liability[];
  readonly totals: readonly Total[];
}

const grantRow = (one: Liability): Row => ({ type: 'grant', ...one });
const totalRow = (one: Total): Row => ({ type: 'total', ...one });

const NOTHING: Value = { credits: 0, amount: 0 };

function sum(one: Value, other: Value): Value {
  const credits = sumOf([one.credits, other.credits], 'The liability in credits');
  return { credits, amount: sumOf([one.amount, other.amount], 'The liability') };
}

/** Adds up by currency what goes by. */
class Totals {
  private readonly sums = new Map<string, Total>();

  add(liabilities: readonly Liability[]): void {
    for (const liability of liabilities) {
      const { currency } = liability;
      const before = this.sums.get(currency);
      const parts = PARTS.map((part) => [part, sum(before?.[part] ?? NOTHING, liability[part])]);
      this.sums.set(currency, { currency, ...(Object.fromEntries(parts) as unknown as Parts) });
    }
  }

  all(): Total[] {
    return [...this.sums.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
  }
}

/** `{"month", "final", "items": […], "totals": […]}`, piece by piece. */
export async function* liabilityJson(
  month: string,
  final: boolean,
  batches: AsyncIterable<readonly Liability[]>,
): AsyncGenerator<string> {
  const totals = new Totals();
  yield `${JSON.stringify({ month, final }).slice(0, -1)},"items":[`;
  let separator = '';
  for await (const batch of batches) {
    totals.add(batch);
    if (batch.length === 0) continue;
    yield separator + batch.map((one) => JSON.stringify(one)).join(',');
    separator = ',';
  }
  yield `],"totals":${JSON.stringify(totals.all())}}\n`;
}

const COLUMNS: readonly Column<Row>[] = [
  { name: 'type', cell: (row) => row.type },
  { name: 'account_id', cell: (row) => row.account_id },
  { name: 'grant_id', cell: (row) => row.grant_id },
  { name: 'currency', cell: (row) => row.currency },
  ...PARTS.flatMap((part): Column<Row>[] => [
    { name: `${part}_credits`, cell: (row) => row[part].credits },
    { name: `${part}_amount`, cell: (row) => formatAmount(row[part].amount, row.currency) },
    { name: `${part}_amount_minor`, cell: (row) => row[part].amount },
  ]),
  { name: 'account_closed', cell: ({ account_closed: isClosed }) => isClosed?.toString() },
];

/** The whole table where all of it is there. */
export function liabilityTable({ items, totals }: Liabilities): string {
  return csvTable(COLUMNS, [...items.map(grantRow), ...totals.map(totalRow)]);
}

/** A row for each grant, and the total of each currency at the end. */
export async function* liabilityCsv(
  batches: AsyncIterable<readonly Liability[]>,
): AsyncGenerator<string> {
  const totals = new Totals();
  yield csvHeader(COLUMNS);
  for await (const batch of batches) {
    totals.add(batch);
    yield csvRows(COLUMNS, batch.map(grantRow));
  }
  yield csvRows(COLUMNS, totals.all().map(totalRow));
}
