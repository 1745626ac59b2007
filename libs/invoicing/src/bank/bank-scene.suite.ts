import { formatAmount } from '#invoice-rules/money.js';

/** An entry of a statement that is made for a test. */
export interface SampleEntry {
  readonly amount: number;
  readonly text: string;
  readonly name: string;
  /** Null: the bank names none. */
  readonly reference: string | null;
  readonly date?: string;
}

const CURRENCY = 'EUR';

/** A camt.053 of these entries, whose balances add up. */
export function camtOf(entries: readonly SampleEntry[]): string {
  const sum = entries.reduce((total, { amount }) => total + amount, 0);
  return `<?xml version="1.0"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>1</Id>
<Acct><Id><IBAN>AT611904300234573201</IBAN></Id><Ccy>${CURRENCY}</Ccy></Acct>
${balance('OPBD', 0)}${balance('CLBD', sum)}${entries.map(entryOf).join('\n')}
</Stmt></BkToCstmrStmt></Document>`;
}

function money(amount: number): string {
  const direction = amount < 0 ? 'DBIT' : 'CRDT';
  const text = formatAmount(Math.abs(amount), CURRENCY);
  return `<Amt Ccy="${CURRENCY}">${text}</Amt><CdtDbtInd>${direction}</CdtDbtInd>`;
}

function balance(code: string, amount: number): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${money(amount)}</Bal>`;
}

function entryOf({ amount, text, name, reference, date = '2026-11-24' }: SampleEntry): string {
  const named = reference === null ? '' : `<AcctSvcrRef>${reference}</AcctSvcrRef>`;
  return `<Ntry>${money(amount)}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${date}</Dt></BookgDt>${named}
<NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>${name.replace('&', '&amp;')}</Nm></Pty></Dbtr></RltdPties>
<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
}
