import {
  isTest,
  type CreditNote,
  type DocumentReference,
  type Invoice,
  type PartialBuyer,
  type Seller,
} from '#billing/invoice.js';
import { GREY, lineHeight, type Sheet, type TextStyle } from './sheet.js';
import { grouped, longDate } from './wording.js';

/** How a page looks, beside what is known of the seller. */
export interface Letterhead {
  /** Colour of the title and of charts, `#1f4e79`. */
  readonly accent?: string;
  readonly pageSize?: 'A4' | 'LETTER';
  /** One line at the foot of every page, such as a court of registration; what is longer is cut. */
  readonly footer?: string;
}

export const ACCENT = '#3d5afe';
const BAND_HEIGHT = 6;
const TITLE: TextStyle = { size: 22, weight: 'bold' };
const NAME: TextStyle = { size: 13, weight: 'bold' };
const LABEL_WIDTH = 110;
const COLUMN_GAP = 24;

/** Title, name of the seller, the facts of the document, and both parties. */
export function drawHead(sheet: Sheet, document: Invoice | CreditNote, accent: string): void {
  const { left, right, width } = sheet;
  sheet.box(0, 0, right + left, BAND_HEIGHT, accent);
  sheet.text(titleOf(document), left, sheet.y, TITLE);
  const name = document.seller.name ?? '';
  let nameEnd = sheet.y + lineHeight(NAME) / 2 - 2;
  for (const line of sheet.linesOf(name, width / 2, NAME)) {
    sheet.text(line, right, nameEnd, { ...NAME, color: accent, align: 'right' });
    nameEnd += lineHeight(NAME);
  }
  sheet.y = Math.max(sheet.y + lineHeight(TITLE), nameEnd) + 12;
  for (const [label, value] of factsOf(document)) drawFact(sheet, label, value);
  sheet.y += 18;
  drawParties(sheet, document);
}

/** A document of a test account says so in words, not by its number alone. */
function titleOf({ type, number }: Invoice | CreditNote): string {
  if (type === 'invoice') return isTest(number) ? 'Test invoice' : 'Invoice';
  return isTest(number) ? 'Test credit note' : 'Credit note';
}

function factsOf(document: Invoice | CreditNote): [label: string, value: string][] {
  const { number, issue_date, buyer } = document;
  const own: [string, string | undefined][] =
    document.type === 'invoice'
      ? [
          ['Invoice number', number],
          ['Date of issue', longDate(issue_date)],
          ['Date due', longDate(document.due_date)],
          ['Period', `${longDate(document.period.from)} to ${longDate(document.period.to)}`],
          ['Replaces invoice', document.reissue_of && named(document.reissue_of)],
        ]
      : [
          ['Credit note number', number],
          ['Date of issue', longDate(issue_date)],
          ['Corrects invoice', named(document.invoice)],
          ['Reason', document.reason],
        ];
  const all = [
    ...own,
    ['Your reference', buyer.buyer_reference] as const,
    ['Purchase order', buyer.purchase_order] as const,
  ];
  return all.flatMap(([label, value]) => (value ? [[label, value]] : []));
}

function named({ number, issue_date }: DocumentReference): string {
  return `${number} of ${longDate(issue_date)}`;
}

function drawFact(sheet: Sheet, label: string, value: string): void {
  const { left, width, y } = sheet;
  const bold: TextStyle = { weight: 'bold' };
  sheet.text(label, left, y, { color: GREY });
  sheet.y = sheet.paragraph(value, left + LABEL_WIDTH, y, width - LABEL_WIDTH, bold);
}

function drawParties(sheet: Sheet, { seller, buyer }: Invoice | CreditNote): void {
  const width = (sheet.width - COLUMN_GAP) / 2;
  const ends = [
    drawParty(sheet, 'From', seller, sheet.left, width),
    drawParty(sheet, 'Bill to', buyer, sheet.left + width + COLUMN_GAP, width),
  ];
  sheet.y = Math.max(...ends) + 22;
}

function drawParty(
  sheet: Sheet,
  label: string,
  party: Partial<Seller> | PartialBuyer,
  x: number,
  width: number,
): number {
  sheet.text(label, x, sheet.y, { color: GREY });
  const below = sheet.y + lineHeight();
  let end = sheet.paragraph(party.name ?? '', x, below, width, { weight: 'bold' });
  for (const line of detailsOf(party)) end = sheet.paragraph(line, x, end, width);
  return end;
}

function detailsOf(party: Partial<Seller> | PartialBuyer): string[] {
  const { address, email, vat_id } = party;
  const registration = 'registration_id' in party ? party.registration_id : undefined;
  const lines = [
    address?.line1,
    address?.line2,
    address && `${address.postcode} ${address.city}`,
    address?.country,
    email,
    vat_id && `VAT ${vat_id}`,
    registration && `Registration ${registration}`,
  ];
  return lines.flatMap((line) => (line ? [line] : []));
}

/** Draws the foot of every page, and on the last one the reference to the log. */
export function drawFeet(
  sheet: Sheet,
  document: Invoice | CreditNote,
  footer: string | undefined,
): void {
  const small: TextStyle = { size: 7.5, color: GREY };
  const { left, right, bottom } = sheet;
  const name = document.seller.name === undefined ? '' : `${document.seller.name} · `;
  const [who = ''] = sheet.linesOf(`${name}${document.number}`, sheet.width - 90, small);
  const [below = ''] = sheet.linesOf(footer ?? '', sheet.width, small);
  const trace = traceOf(document);
  sheet.onEachPage((page, pages) => {
    if (page === pages) sheet.text(trace, left, bottom + 4, { size: 5.8, color: GREY });
    sheet.rule(bottom + 16, '#e3e8ee');
    sheet.text(who, left, bottom + 22, small);
    sheet.text(`Page ${page} of ${pages}`, right, bottom + 22, { ...small, align: 'right' });
    sheet.text(below, left, bottom + 22 + lineHeight(small), small);
  });
}

function traceOf(document: Invoice | CreditNote): string {
  if (document.type === 'credit_note') return `Account ${document.account_id}`;
  const { account_id, account_version, account_head } = document;
  const { from, to } = account_version;
  const events = `events ${grouped(from)} to ${grouped(to)}`;
  return `Account ${account_id}, ${events} of its log, head ${account_head}`;
}
