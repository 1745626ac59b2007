import { UNITS_PER_EM, type Position } from '../fonts/typeface.js';
import { channelsOf } from './colors.js';
import type { SheetGlyphs } from './sheet-font.js';

interface PlacedText {
  /** Where each glyph goes; null: where the one before ends. */
  readonly positions: readonly Position[] | null;
  readonly size: number;
  readonly color: string;
  readonly x: number;
  readonly baseline: number;
}

const RULE_WIDTH = 0.6;
const PRECISION = 1000;

// Operators of PDF (ISO 32000-1, annex A) on pages that pdfkit has turned upside down: y grows
// downwards, and text is turned back by its matrix.

/** One line of text. */
export function textOperators(
  { fontId, codes }: SheetGlyphs,
  { positions, size, color, x, baseline }: PlacedText,
): string {
  const shown =
    positions === null
      ? `${matrix(x, baseline)} <${codes.join('')}> Tj`
      : glyphByGlyph(codes, positions, size / UNITS_PER_EM, x, baseline);
  return `BT ${rgb(color)} rg /${fontId} ${decimal(size)} Tf ${shown} ET`;
}

function glyphByGlyph(
  codes: readonly string[],
  positions: readonly Position[],
  scale: number,
  x: number,
  baseline: number,
): string {
  let pen = x;
  const parts = positions.map(({ xAdvance, xOffset, yOffset }, index) => {
    const part = matrix(pen + xOffset * scale, baseline - yOffset * scale);
    pen += xAdvance * scale;
    return `${part} <${codes[index] ?? ''}> Tj`;
  });
  return parts.join(' ');
}

function matrix(x: number, y: number): string {
  return `1 0 0 -1 ${decimal(x)} ${decimal(y)} Tm`;
}

/** A horizontal line. */
export function ruleOperators(from: number, to: number, y: number, color: string): string {
  const line = `${decimal(from)} ${decimal(y)} m ${decimal(to)} ${decimal(y)} l S`;
  return `${rgb(color)} RG ${RULE_WIDTH} w ${line}`;
}

/** A filled rectangle. */
export function boxOperators(
  x: number,
  y: number,
  width: number,
  height: number,
  color: string,
): string {
  return `${rgb(color)} rg ${[x, y, width, height].map(decimal).join(' ')} re f`;
}

/**
 * Dark modules of a code as one filled path, a rectangle for each run of them in a row: between
 * several fills readers leave hairlines.
 */
export function modulesOperators(
  modules: readonly (readonly boolean[])[],
  { x, y, side, color }: Readonly<Record<'x' | 'y' | 'side', number> & { color: string }>,
): string {
  const unit = side / modules.length;
  const runs = modules.flatMap((row, down) =>
    row.flatMap((isDark, from) => {
      if (!isDark || row[from - 1] === true) return [];
      const end = row.indexOf(false, from);
      const length = (end < 0 ? row.length : end) - from;
      const rectangle = [x + from * unit, y + down * unit, length * unit, unit];
      return [`${rectangle.map(decimal).join(' ')} re`];
    }),
  );
  return `${rgb(color)} rg ${runs.join(' ')} f`;
}

/** An image of the page by its name, the right way up. */
export function imageOperators(
  name: string,
  { x, y, width, height }: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>,
): string {
  const place = [width, 0, 0, -height, x, y + height].map(decimal).join(' ');
  return `q ${place} cm /${name} Do Q`;
}

function decimal(value: number): string {
  return String(Math.round(value * PRECISION) / PRECISION);
}

/** `#3d5afe` as three parts of 1. */
function rgb(color: string): string {
  return channelsOf(color).map(decimal).join(' ');
}
