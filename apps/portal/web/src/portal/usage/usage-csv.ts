import { quotedCell, safeText } from '#invoice-rules/csv-text.js';
import { decimalsOf } from '#invoice-rules/currencies.js';
import type { CreditPrice } from '../../format/money.js';
import type { UsageColumn } from './usage-columns.js';
import type { ComparedRow } from './usage-rows.js';
import type { Dimension } from '../../rest/answers.js';

/** Values that people do not read: their names stand beside them. */
const NAMED: readonly Dimension[] = ['key', 'api_key'];

interface UsageFile {
  readonly columns: readonly UsageColumn[];
  readonly rows: readonly ComparedRow[];
  readonly price: CreditPrice | null;
  readonly nameOf: (dimension: Dimension, value: string) => string;
}

/** Exactly the rows and columns that are shown, as a table for spreadsheets. */
export function usageCsv({ columns, rows, price, nameOf }: UsageFile): string {
  const digits = price === null ? 0 : decimalsOf(price.currency);
  const named = columns.flatMap((column): readonly (readonly [string, CellOf])[] => {
    const { name, unit, dimension, valueOf } = column;
    const own = [name, (row: ComparedRow) => cell(valueOf(row), unit, digits)] as const;
    if (dimension === undefined || !NAMED.includes(dimension)) return [own];
    const words = (row: ComparedRow) => quoted(nameOf(dimension, String(valueOf(row))));
    return [own, [`${name}_name`, words]];
  });
  const head = named.map(([name]) => name).join(',');
  const lines = rows.map((row) => named.map(([, cellOf]) => cellOf(row)).join(','));
  return [head, ...lines].map((line) => `${line}\r\n`).join('');
}

type CellOf = (row: ComparedRow) => string;

function quoted(text: string): string {
  return quotedCell(safeText(text));
}

function cell(value: string | number | null, unit: UsageColumn['unit'], digits: number): string {
  if (value === null) return '';
  if (typeof value === 'string') return quoted(value);
  if (unit === 'money') return (value / 10 ** digits).toFixed(digits);
  return unit === 'percent' ? value.toFixed(1) : String(value);
}
