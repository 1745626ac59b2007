import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { parseDate } from '#calendar/civil-date.js';
import { isAccountCurrency } from '#invoice-rules/currencies.js';
import { parseAmount } from '#invoice-rules/money.js';
import { EntryIds, plainText, referenceOf } from './bank-entry.js';
import type { BankEntry, BankStatement, FileFault, ReadFile } from './bank-entry.js';

// Statements as ISO 20022 camt.053, of any version from .02 on. Names are those of its schema.

const DATE_LENGTH = '2026-11-24'.length;
const LISTS = new Set('Stmt Bal Ntry NtryDtls TxDtls Ustrd Strd RfrdDocInf AddtlRmtInf'.split(' '));

/** Namespaces are left out, whatever their prefixes; texts stay texts. */
const PARSER = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  htmlEntities: true,
  isArray: (name) => LISTS.has(name),
});

/** An element: its children by name. */
interface Element {
  readonly [name: string]: Element | string | readonly (Element | string)[] | undefined;
}
type Node = Element | string | undefined;

/** Reads the statements of a file. All faults are named, each by its entry. */
export function readCamt(text: string): ReadFile {
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) return fault('The file declares entities or a DOCTYPE.');
  const checked = XMLValidator.validate(text);
  if (checked !== true) {
    return { faults: [{ place: `line ${checked.err.line}`, detail: checked.err.msg }] };
  }
  const root = PARSER.parse(text) as Element;
  const statements = list(at(root, 'Document', 'BkToCstmrStmt'), 'Stmt');
  if (statements.length === 0) {
    return fault('No statement in it: a camt.053 holds Document, BkToCstmrStmt, Stmt.');
  }
  const reading = new Reading();
  for (const statement of statements) reading.statement(statement);
  const { faults, entries } = reading;
  if (faults.length > 0) return { faults };
  const [, format = 'camt.053'] = /(camt\.053(?:\.\d+)*)/.exec(text.slice(0, 2_000)) ?? [];
  return { format, statements: reading.statements, entries };
}

function fault(detail: string): ReadFile {
  return { faults: [{ place: 'file', detail }] };
}

class Reading {
  readonly faults: FileFault[] = [];
  readonly statements: BankStatement[] = [];
  readonly entries: BankEntry[] = [];
  private place = '';
  private read = 0;

  statement(statement: Element): void {
    const number = said(statement, 'Id') ?? null;
    this.place = `statement ${number ?? this.statements.length + 1}`;
    const id = at(statement, 'Acct', 'Id');
    const account = (said(id, 'IBAN') ?? said(id, 'Othr', 'Id'))?.replaceAll(/\s/g, '') ?? null;
    const balances = list(statement, 'Bal');
    const [opening, closing] = [this.balance(balances, 'opening'), this.balance(balances, 'end')];
    const ids = new EntryIds();
    let booked = 0;
    let currency = said(statement, 'Acct', 'Ccy') ?? said(balances[0], 'Amt', '@Ccy');
    for (const entry of list(statement, 'Ntry')) {
      this.place = `entry ${(this.read += 1)}`;
      const found = this.entry(entry, account ?? '', ids);
      currency ??= found[0]?.currency;
      if (isBooked(entry)) booked += found.reduce((sum, { amount }) => sum + amount, 0);
      this.entries.push(...found);
    }
    const isStated = opening !== null && closing !== null;
    const adds_up = isStated ? opening + booked === closing : null;
    const sums = { currency: currency ?? '', opening, closing, booked, adds_up };
    this.statements.push({ account, number, ...sums });
  }

  /** Of a page of a statement, the interim balances. */
  private balance(balances: readonly Element[], of: 'opening' | 'end'): number | null {
    const codes = of === 'opening' ? ['OPBD', 'PRCD', 'ITBD'] : ['CLBD', 'ITBD'];
    for (const code of codes) {
      const own = balances.filter((one) => said(one, 'Tp', 'CdOrPrtry', 'Cd') === code);
      const found = of === 'opening' ? own[0] : own.at(-1);
      if (found !== undefined) return this.amount(found)?.minor ?? null;
    }
    return null;
  }

  private entry(entry: Element, account: string, ids: EntryIds): BankEntry[] {
    const money = this.amount(entry);
    const booking_date = this.date(entry, 'BookgDt');
    if (money === undefined || booking_date === null) return [];
    const value_date = at(entry, 'ValDt') === undefined ? null : this.date(entry, 'ValDt');
    const details = list(entry, 'NtryDtls').flatMap((one) => list(one, 'TxDtls'));
    const { currency, minor: amount } = money;
    const bank_reference = referenceOf(said(entry, 'AcctSvcrRef'));
    const about = aboutOf(entry, details);
    const content = [about.text, about.name ?? '', about.iban ?? ''];
    const key = { account, bank_reference, booking_date, amount, currency, content };
    const ignored = reasonToIgnore(entry);
    const common = { booking_date, value_date, currency, bank_reference, ignored };
    const whole = { id: ids.next(key), place: this.place, amount, ...about, ...common };
    const amounts = ignored === null ? partsOf(details, money) : null;
    if (amounts === null) return [whole];
    const own = new EntryIds();
    return details.map((detail, index) => {
      const part = aboutOf({}, [detail]);
      const of = { ...key, account: whole.id, bank_reference: null, amount: amounts[index] ?? 0 };
      const reference = referenceOf(said(detail, 'Refs', 'AcctSvcrRef'));
      const texts = [part.text, part.name ?? '', part.iban ?? '', reference ?? ''];
      return {
        ...common,
        ...part,
        id: own.next({ ...of, content: texts }),
        place: `${this.place}, detail ${index + 1}`,
        amount: of.amount,
        bank_reference: reference ?? bank_reference,
      };
    });
  }

  private amount(of: Element): Money | undefined {
    const money = moneyIn(of);
    const direction = said(of, 'CdtDbtInd');
    if (money === undefined) {
      const [amount, currency] = [said(of, 'Amt') ?? '', said(of, 'Amt', '@Ccy') ?? ''];
      this.faulty(`Amt: "${amount}" is no amount of the currency "${currency}".`);
    } else if (direction !== 'CRDT' && direction !== 'DBIT') {
      this.faulty(`CdtDbtInd: "${direction ?? ''}" is neither CRDT nor DBIT.`);
      return undefined;
    }
    return money;
  }

  private date(of: Element, name: string): string | null {
    const text = said(of, name, 'Dt') ?? said(of, name, 'DtTm') ?? '';
    const date = text.slice(0, DATE_LENGTH);
    if (parseDate(date) !== undefined) return date;
    this.faulty(`${name}: "${text}" is no date such as 2026-11-24.`);
    return null;
  }

  private faulty(detail: string): void {
    this.faults.push({ place: this.place, detail });
  }
}

interface Money {
  /** Below 0 where money went out. */
  readonly minor: number;
  readonly currency: string;
}

/** Undefined: it is no amount. */
function moneyIn(of: Node): Money | undefined {
  const currency = said(of, 'Amt', '@Ccy') ?? '';
  const minor = parseAmount(said(of, 'Amt') ?? '', currency);
  if (minor === undefined || minor < 0 || !isAccountCurrency(currency)) return undefined;
  return { minor: said(of, 'CdtDbtInd') === 'DBIT' ? 0 - minor : minor, currency };
}

/** Amounts of the details of a batch; null: it is one payment, or its details are not its sum. */
function partsOf(details: readonly Element[], whole: Money): readonly number[] | null {
  if (details.length < 2) return null;
  const parts = details.map((one) => moneyIn(one) ?? moneyIn(at(one, 'AmtDtls', 'TxAmt')));
  const isOfCredits = parts.every((one) => one?.currency === whole.currency && one.minor > 0);
  const amounts = parts.map((one) => one?.minor ?? 0);
  const sum = amounts.reduce((total, one) => total + one, 0);
  return isOfCredits && sum === whole.minor ? amounts : null;
}

function isBooked(entry: Element): boolean {
  return (said(entry, 'Sts', 'Cd') ?? said(entry, 'Sts')) === 'BOOK';
}

function reasonToIgnore(entry: Element): string | null {
  if (!isBooked(entry)) return 'The bank has not booked it yet.';
  if (said(entry, 'CdtDbtInd') === 'DBIT') return 'Money that went out.';
  return /^(?:true|1)$/.test(said(entry, 'RvslInd') ?? '')
    ? 'It reverses money that went out.'
    : null;
}

type About = Pick<BankEntry, 'name' | 'iban' | 'text'>;

/** Who paid, and what for. */
function aboutOf(entry: Element, details: readonly Element[]): About {
  const parties = details.map((one) => at(one, 'RltdPties'));
  const names = parties.map((of) => nameOf(at(of, 'Dbtr')) ?? nameOf(at(of, 'UltmtDbtr')));
  const ibans = parties.map((of) => said(of, 'DbtrAcct', 'Id', 'IBAN'));
  const texts = details.flatMap((one) => {
    const remittance = at(one, 'RmtInf');
    const structured = list(remittance, 'Strd').flatMap((of) => [
      said(of, 'CdtrRefInf', 'Ref'),
      ...list(of, 'RfrdDocInf').map((document) => said(document, 'Nb')),
      ...textsIn(of, 'AddtlRmtInf'),
    ]);
    const reference = referenceOf(said(one, 'Refs', 'EndToEndId'));
    return [...textsIn(remittance, 'Ustrd'), ...structured, reference];
  });
  const text = plainText(texts);
  const [name] = new Set(names).size === 1 ? names : [];
  const [iban] = new Set(ibans).size === 1 ? ibans : [];
  const further = said(entry, 'AddtlNtryInf');
  return { name: name ?? null, iban: iban ?? null, text: text || plainText([further]) };
}

/** Versions before .08 know no `Pty`. */
function nameOf(party: Node): string | undefined {
  return said(party, 'Pty', 'Nm') ?? said(party, 'Nm');
}

function at(node: Node, ...path: readonly string[]): Node {
  let found: Node = node;
  for (const name of path) {
    const child = typeof found === 'object' ? found[name] : undefined;
    found = Array.isArray(child) ? (child as readonly Node[])[0] : (child as Node);
  }
  return found;
}

/** The text of an element; undefined: it is empty or not there. */
function said(node: Node, ...path: readonly string[]): string | undefined {
  const found = at(node, ...path);
  const text = typeof found === 'string' ? found : found?.['#text'];
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

function list(node: Node, name: string): readonly Element[] {
  const found = typeof node === 'object' ? node[name] : undefined;
  if (!Array.isArray(found)) return [];
  return (found as readonly Node[]).map((one) => (typeof one === 'object' ? one : {}));
}

function textsIn(node: Node, name: string): readonly string[] {
  const found = typeof node === 'object' ? node[name] : undefined;
  if (!Array.isArray(found)) return [];
  return (found as readonly Node[]).flatMap((one) => said(one) ?? []);
}
