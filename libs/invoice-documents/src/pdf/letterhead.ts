import { fillText } from '#invoice-rules/fill-text.js';
import {
  isTest,
  type CreditNote,
  type DocumentReference,
  type Invoice,
  type PartialBuyer,
  type Seller,
} from '#invoice-rules/invoice.js';
import { addressLines } from '#invoice-rules/postal-addresses.js';
import type { PdfImage } from '../images/pdf-image.js';
import { GREY, lineHeight, type Sheet, type TextStyle } from './sheet.js';
import type { Wording } from './wording.js';

/** Colour of pages whose seller has none. */
export const ACCENT = '#3d5afe';
const LOGO_BOX = { width: 170, height: 48 };
const BAND_HEIGHT = 6;
const TITLE: TextStyle = { size: 22, weight: 'bold' };
const NAME: TextStyle = { size: 13, weight: 'bold' };
const LABEL_WIDTH = 110;
const COLUMN_GAP = 24;

/** How pages of the seller look. */
export interface Look {
  /** Can be read on white. */
  readonly accent: string;
  readonly logo: PdfImage | undefined;
}

/** Title, logo or name of the seller, the facts of the document, and both parties. */
export function drawHead(sheet: Sheet, document: Invoice | CreditNote, look: Look): void {
  const { left, right, y } = sheet;
  sheet.box(0, 0, right + left, BAND_HEIGHT, look.accent);
  sheet.text(titleOf(document, sheet.wording), left, y, TITLE);
  const end =
    look.logo === undefined ? drawName(sheet, document, look) : drawLogo(sheet, look.logo);
  sheet.y = Math.max(y + lineHeight(TITLE), end) + 12;
  for (const [label, value] of factsOf(document, sheet.wording)) drawFact(sheet, label, value);
  sheet.y += 18;
  drawParties(sheet, document);
}

/** At the right; its name stands below with the seller. */
function drawLogo(sheet: Sheet, logo: PdfImage): number {
  const { width, height } = LOGO_BOX;
  const shown = Math.min(width, (logo.width * height) / logo.height);
  return sheet.y + sheet.image(logo, sheet.right - shown, sheet.y, LOGO_BOX);
}

function drawName(sheet: Sheet, document: Invoice | CreditNote, { accent }: Look): number {
  const { right, width } = sheet;
  const name = document.seller.name ?? '';
  let nameEnd = sheet.y + lineHeight(NAME) / 2 - 2;
  for (const line of sheet.linesOf(name, width / 2, NAME)) {
    sheet.text(line, right, nameEnd, { ...NAME, color: accent, align: 'right' });
    nameEnd += lineHeight(NAME);
  }
  return nameEnd;
}

/** A document of a test account says so in words, not by its number alone. */
function titleOf({ type, number }: Invoice | CreditNote, { texts }: Wording): string {
  if (type === 'invoice') return isTest(number) ? texts.testInvoice : texts.invoice;
  return isTest(number) ? texts.testCreditNote : texts.creditNote;
}

function factsOf(document: Invoice | CreditNote, wording: Wording): [string, string][] {
  const { number, issue_date, buyer } = document;
  const { texts } = wording;
  const day = (date: string) => wording.longDate(date);
  const named = (of: DocumentReference) =>
    fillText(texts.numberOf, { number: of.number, date: day(of.issue_date) });
  const own: [string, string | undefined][] =
    document.type === 'invoice'
      ? [
          [texts.invoiceNumber, number],
          [texts.issued, day(issue_date)],
          [texts.due, day(document.due_date)],
          [
            texts.period,
            fillText(texts.span, { from: day(document.period.from), to: day(document.period.to) }),
          ],
          [texts.replaces, document.reissue_of && named(document.reissue_of)],
        ]
      : [
          [texts.creditNoteNumber, number],
          [texts.issued, day(issue_date)],
          [texts.corrects, named(document.invoice)],
          [texts.reason, document.reason],
        ];
  const all = [
    ...own,
    [texts.customerNumber, document.account_id] as const,
    [texts.yourReference, buyer.buyer_reference] as const,
    [texts.purchaseOrder, buyer.purchase_order] as const,
  ];
  return all.flatMap(([label, value]) => (value ? [[label, value]] : []));
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
    drawParty(sheet, sheet.wording.texts.from, seller, sheet.left, width),
    drawParty(sheet, sheet.wording.texts.billTo, buyer, sheet.left + width + COLUMN_GAP, width),
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
  for (const line of detailsOf(party, sheet.wording)) end = sheet.paragraph(line, x, end, width);
  return end;
}

function detailsOf(party: Partial<Seller> | PartialBuyer, wording: Wording): string[] {
  const { texts } = wording;
  const { address, email, vat_id } = party;
  const registration = 'registration_id' in party ? party.registration_id : undefined;
  const lines = [
    ...(address ? [...addressLines(address), wording.country(address.country)] : []),
    email,
    vat_id && fillText(texts.vatId, { id: vat_id }),
    registration && fillText(texts.registration, { id: registration }),
  ];
  return lines.flatMap((line) => (line ? [line] : []));
}

/** Draws the foot of every page, and on the last one the reference to the log. */
export function drawFeet(sheet: Sheet, document: Invoice | CreditNote): void {
  const small: TextStyle = { size: 7.5, color: GREY };
  const { left, right, bottom, wording } = sheet;
  const name = document.seller.name === undefined ? '' : `${document.seller.name} · `;
  const [who = ''] = sheet.linesOf(`${name}${document.number}`, sheet.width - 90, small);
  const trace = traceOf(document, wording);
  sheet.onEachPage((page, pages) => {
    if (page === pages) sheet.text(trace, left, bottom + 4, { size: 5.8, color: GREY });
    sheet.rule(bottom + 16, '#e3e8ee');
    sheet.text(who, left, bottom + 22, small);
    const of = fillText(wording.texts.page, { page: String(page), pages: String(pages) });
    sheet.text(of, right, bottom + 22, { ...small, align: 'right' });
  });
}

function traceOf(document: Invoice | CreditNote, wording: Wording): string {
  const { account_id: id } = document;
  if (document.type === 'credit_note') return fillText(wording.texts.accountOnly, { id });
  const { account_version: version, account_head: head } = document;
  const [from, to] = [wording.grouped(version.from), wording.grouped(version.to)];
  return fillText(wording.texts.trace, { id, from, to, head });
}
