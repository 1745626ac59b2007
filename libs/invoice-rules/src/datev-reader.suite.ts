import { DATEV_COLUMNS } from './datev.js';

/** A row of a Buchungsstapel by the names of its columns. */
export type DatevRow = Readonly<Record<string, string>>;

/** Rules of the public description of the format, by column: what a filled-in cell may be. */
const RULES: Readonly<Record<string, RegExp>> = {
  'Umsatz (ohne Soll/Haben-Kz)': /^\d{1,10},\d{2}$/,
  'Soll/Haben-Kennzeichen': /^"[SH]"$/,
  'WKZ Umsatz': /^"([A-Z]{3})?"$/,
  Konto: /^\d{1,9}$/,
  'Gegenkonto (ohne BU-Schlüssel)': /^\d{1,9}$/,
  'BU-Schlüssel': /^"\d{0,4}"$/,
  Belegdatum: /^(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])$/,
  'Belegfeld 1': /^"[a-zA-Z0-9$&%*+\-/]{0,36}"$/,
  Buchungstext: /^"([^"]|""){0,60}"$/,
  'EU-Land u. UStID (Bestimmung)': /^"[^"]{0,15}"$/,
  Festschreibung: /^[01]$/,
};
const CELL = /("(?:[^"]|"")*"|[^;]*)(?:;|$)/gy;

/** Reads a Buchungsstapel; throws where it breaks a rule of the format. */
export function readDatev(text: string): { readonly header: readonly string[]; rows: DatevRow[] } {
  const lines = text.split('\r\n');
  if (lines.pop() !== '' || text.replaceAll('\r\n', '').includes('\n')) {
    throw new Error('Lines end in CRLF.');
  }
  const [header = '', names = '', ...data] = lines;
  if (names !== DATEV_COLUMNS.join(';')) throw new Error('The columns are others.');
  return { header: cellsOf(header), rows: data.map(readRow) };
}

function cellsOf(line: string): string[] {
  const cells = [...line.matchAll(CELL)].map(([, cell = '']) => cell);
  // The pattern finds an empty cell behind the last one.
  return line.endsWith(';') ? cells : cells.slice(0, -1);
}

function readRow(line: string): DatevRow {
  const cells = cellsOf(line);
  if (cells.length !== DATEV_COLUMNS.length) throw new Error(`${cells.length} cells: ${line}`);
  const row = Object.fromEntries(DATEV_COLUMNS.map((name, index) => [name, cells[index] ?? '']));
  for (const [name, rule] of Object.entries(RULES)) {
    if (!rule.test(row[name] ?? '')) throw new Error(`${name}: ${row[name]} breaks ${rule}.`);
  }
  return Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [
      name,
      cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
    ]),
  );
}

/**
 * Debits less credits of each account in hundredths as DATEV books rows: `rates` are the percents
 * of keys, whose tax goes from the contra account to `taxAccount`.
 */
export function datevBalances(
  rows: readonly DatevRow[],
  rates: Readonly<Record<string, number>>,
  taxAccount: string,
): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  const add = (account = '', amount: number) => {
    sums[account] = (sums[account] ?? 0) + amount;
  };
  for (const row of rows) {
    const gross = Number(row['Umsatz (ohne Soll/Haben-Kz)']?.replace(',', ''));
    const sign = row['Soll/Haben-Kennzeichen'] === 'S' ? 1 : -1;
    const rate = rates[row['BU-Schlüssel'] ?? ''] ?? 0;
    const tax = Math.round((gross * rate) / (100 + rate));
    add(row['Konto'], sign * gross);
    add(row['Gegenkonto (ohne BU-Schlüssel)'], -sign * (gross - tax));
    add(taxAccount, -sign * tax);
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}
