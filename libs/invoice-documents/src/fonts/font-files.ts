import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as fontkit from 'fontkit';
import { CompressedFont } from './compressed-font.js';

export type Weight = 'regular' | 'bold';

/** A font that is read when a text needs it: nearly all invoices need the first one only. */
export interface FontFile {
  /** Whether it may hold a character; the font itself is asked once it is read. */
  mayHold(codePoint: number): boolean;
  open(): fontkit.Font;
  /** Lines and curves of one of its glyphs, at its weight. */
  outlineOf(glyph: fontkit.Glyph): readonly fontkit.PathCommand[];
}

const NAMES = { regular: 'Regular', bold: 'Bold' };
const VARIABLE_WEIGHTS = { regular: 400, bold: 700 };
/** Hebrew, and Arabic with its presentation forms. */
const HEBREW = /[\u0590-\u05ff\ufb1d-\ufb4f]/;
const ARABIC = /[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc]/;

const require = createRequire(import.meta.url);

/** Fonts of one weight in the order in which they are asked for a character. */
export function fontFiles(weight: Weight): FontFile[] {
  const name = NAMES[weight];
  return [
    wholeFont('@embedpdf/fonts-latin', `NotoSans-${name}.ttf`, /./u),
    wholeFont('@embedpdf/fonts-hebrew', `NotoSansHebrew-${name}.ttf`, HEBREW),
    wholeFont('@embedpdf/fonts-arabic', `NotoNaskhArabic-${name}.ttf`, ARABIC),
    ...slicedFont('noto-sans-sc', weight),
    ...slicedFont('noto-sans-kr', weight),
  ];
}

function wholeFont(packageName: string, file: string, holds: RegExp): FontFile {
  // These packages export code only; their fonts lie beside it.
  const folder = path.join(path.dirname(require.resolve(packageName)), '../fonts');
  return {
    mayHold: (codePoint) => holds.test(String.fromCodePoint(codePoint)),
    open: once(() => opened(path.join(folder, file))),
    outlineOf: (glyph) => glyph.path.commands,
  };
}

/** A font that its package cuts into a hundred files, each for some ranges of characters. */
function slicedFont(family: string, weight: Weight): FontFile[] {
  const ranges = require(`@fontsource-variable/${family}/unicode.json`) as Record<string, string>;
  return Object.entries(ranges).map(([slice, covered]) => {
    const name = `${family}-${slice.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`;
    const file = `@fontsource-variable/${family}/files/${name}`;
    const font = once(() => new CompressedFont(require.resolve(file), VARIABLE_WEIGHTS[weight]));
    const holds = rangesOf(covered);
    return {
      mayHold: (codePoint) => holds.some(([from, to]) => from <= codePoint && codePoint <= to),
      open: () => font().font,
      outlineOf: (glyph) => font().outlineOf(glyph),
    };
  });
}

/** `U+4e00-4e09,U+4e0b` as pairs of a first and a last code point. */
function rangesOf(text: string): (readonly [from: number, to: number])[] {
  return text.split(',').map((range) => {
    const [from = '', to = from] = range.trim().slice('U+'.length).split('-');
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const;
  });
}

function opened(file: string): fontkit.Font {
  return fontkit.create(readFileSync(file)) as fontkit.Font;
}

function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= make());
}
