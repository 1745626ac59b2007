import type { CreditNote, Invoice } from '#billing/invoice.js';
import { REPLACEMENT } from '../fonts/typeface.js';
import { attachXml } from './factur-x.js';
import { ACCENT, drawFeet, drawHead, type Letterhead } from './letterhead.js';
import { drawLines } from './lines-table.js';
import { GREY, lineHeight, Sheet } from './sheet.js';
import { drawHeadline, drawPayment, drawTotals, paymentHeight, totalsHeight } from './totals.js';
import { chartHeight, drawUsageChart, type WeekUsage } from './usage-chart.js';

export interface PdfInput {
  readonly document: Invoice | CreditNote;
  /** Empty: no chart. */
  readonly usageByWeek: readonly WeekUsage[];
  /** CII that is put into the PDF; null: there is none. */
  readonly xml: Uint8Array | null;
  readonly letterhead?: Letterhead | undefined;
}

/** A page that a company would send, as PDF/A-3 with embedded fonts (contract 6). */
export function pdfDocument({ document, usageByWeek, xml, letterhead = {} }: PdfInput): Buffer {
  const { accent = ACCENT, pageSize = 'A4', footer } = letterhead;
  const madeAt = new Date(`${document.issue_date}T00:00:00Z`);
  const kind = document.type === 'invoice' ? 'Invoice' : 'Credit note';
  const sheet = new Sheet({ title: `${kind} ${document.number}`, pageSize, madeAt });
  drawHead(sheet, document, accent);
  drawHeadline(sheet, document);
  drawLines(sheet, document);
  // Nobody turns a page to find a chart and an IBAN alone on it.
  sheet.reserve(totalsHeight(document) + chartHeight(usageByWeek) + paymentHeight(document));
  drawTotals(sheet, document);
  drawUsageChart(sheet, usageByWeek, accent);
  drawPayment(sheet, document);
  if (sheet.hasReplaced) drawReplacementNote(sheet);
  drawFeet(sheet, document, footer);
  if (xml !== null) attachXml(sheet.document, xml, madeAt);
  return sheet.finish();
}

/** Nobody takes a replaced character for the real one. */
function drawReplacementNote(sheet: Sheet): void {
  const note = `${REPLACEMENT} stands for a character that this page cannot show; the JSON and the XML of this document hold it.`;
  sheet.y += lineHeight();
  sheet.reserve(lineHeight());
  sheet.y = sheet.paragraph(note, sheet.left, sheet.y, sheet.width, { size: 7.5, color: GREY });
}
