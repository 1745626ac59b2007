import { fillText } from '#invoice-rules/fill-text.js';
import type { CreditNote, Invoice } from '#invoice-rules/invoice.js';
import { REPLACEMENT } from '../fonts/typeface.js';
import { shownLogo } from '../images/shown-logo.js';
import { readable } from './colors.js';
import { attachXml } from './factur-x.js';
import { ACCENT, drawFeet, drawHead } from './letterhead.js';
import { drawLines } from './lines-table.js';
import { drawPayment } from './payment.js';
import { GREY, lineHeight, Sheet } from './sheet.js';
import { drawHeadline, drawTotals, totalsHeight } from './totals.js';
import { drawUsageChart, type WeekUsage } from './usage-chart.js';
import { wordingOf } from './wording.js';

export interface PdfInput {
  readonly document: Invoice | CreditNote;
  /** Empty: no chart. */
  readonly usageByWeek: readonly WeekUsage[];
  /** CII that is put into the PDF; null: there is none. */
  readonly xml: Uint8Array | null;
  /** The image of the seller's logo. */
  readonly logo?: Uint8Array | undefined;
}

/** A page that a company would send, as PDF/A-3 with embedded fonts (contract 6). */
export function pdfDocument({ document, usageByWeek, xml, logo }: PdfInput): Buffer {
  const { seller, buyer, issue_date, number } = document;
  const madeAt = new Date(`${issue_date}T00:00:00Z`);
  const wording = wordingOf(buyer.language);
  const kind = document.type === 'invoice' ? wording.texts.invoice : wording.texts.creditNote;
  const sheet = new Sheet({ title: `${kind} ${number}`, wording, madeAt });
  const accent = readable(seller.color ?? ACCENT);
  drawHead(sheet, document, { accent, logo: logo && shownLogo(logo, seller.logo_sha256) });
  drawHeadline(sheet, document);
  // Sums stay with the last line. What follows them goes over alone: no page ends half empty.
  drawLines(sheet, document, totalsHeight(document));
  drawTotals(sheet, document);
  drawPayment(sheet, document);
  drawUsageChart(sheet, usageByWeek, accent);
  if (sheet.hasReplaced) drawReplacementNote(sheet);
  drawFeet(sheet, document);
  const { invoice_format: format } = buyer;
  if (xml !== null) attachXml(sheet.document, xml, { madeAt, format });
  return sheet.finish();
}

/** Nobody takes a replaced character for the real one. */
function drawReplacementNote(sheet: Sheet): void {
  const note = fillText(sheet.wording.texts.replaced, { sign: REPLACEMENT });
  sheet.y += lineHeight();
  sheet.reserve(lineHeight());
  sheet.y = sheet.paragraph(note, sheet.left, sheet.y, sheet.width, { size: 7.5, color: GREY });
}
