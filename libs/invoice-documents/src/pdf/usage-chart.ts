import { GREY, lineHeight, PALE, type Sheet, type TextStyle } from './sheet.js';

/** Credits of a week, or of the part of one that lies in the month; local dates, both inclusive. */
export interface WeekUsage {
  readonly from: string;
  readonly to: string;
  readonly credits: number;
}

const BAR_HEIGHT = 46;
/** A bar of something is seen. */
const BAR_HEIGHT_MIN = 1;
const BAR_WIDTH = 46;
const SMALL: TextStyle = { size: 7.5 };
const ABOVE = 18;
const HEIGHT = ABOVE + BAR_HEIGHT + 4 * lineHeight(SMALL) + 14;

/** Usage by week as bars with their figures. */
export function drawUsageChart(sheet: Sheet, weeks: readonly WeekUsage[], accent: string): void {
  const highest = Math.max(0, ...weeks.map(({ credits }) => credits));
  if (highest === 0) return;
  sheet.reserve(HEIGHT);
  sheet.y += ABOVE;
  sheet.text(sheet.wording.texts.usage, sheet.left, sheet.y, { weight: 'bold' });
  const floor = sheet.y + lineHeight() + lineHeight(SMALL) + BAR_HEIGHT + 8;
  const step = sheet.width / weeks.length;
  weeks.forEach(({ from, to, credits }, index) => {
    const x = sheet.left + index * step;
    const height = credits === 0 ? 0 : Math.max(BAR_HEIGHT_MIN, (BAR_HEIGHT * credits) / highest);
    if (height > 0) sheet.box(x, floor - height, Math.min(BAR_WIDTH, step - 6), height, accent);
    sheet.text(sheet.wording.grouped(credits), x, floor - height - lineHeight(SMALL) - 1, SMALL);
    sheet.text(sheet.wording.shortSpan(from, to), x, floor + 4, { ...SMALL, color: GREY });
  });
  sheet.rule(floor, PALE);
  sheet.y = floor + lineHeight(SMALL) + 4;
}
