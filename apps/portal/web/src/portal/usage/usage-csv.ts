import { quotedCell, safeText } from '#invoice-rules/csv-text.js';
import type { UsageRow } from './usage-groups.js';
import type { Dimension } from '../../rest/answers.js';

function cell(value: string | number): string {
  return typeof value === 'string' ? quotedCell(safeText(value)) : String(value);
}

/** Exactly the rows that are shown, as a table for spreadsheets. */
export function usageCsv(by: readonly Dimension[], rows: readonly UsageRow[]): string {
  const head = [...by, 'calls', 'call_cost', 'data_cost', 'credits_used'];
  const lines = rows.map((row) => [
    ...row.values,
    row.calls,
    row.callCost,
    row.dataCost,
    row.credits,
  ]);
  return [head, ...lines].map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}
