import { constants, deflateSync } from 'node:zlib';
import { fontSubset } from './font-subset.js';
import type { Typeface, TypefaceGlyph } from './typeface.js';

/** Some glyphs of a typeface, numbered as they come, as a PDF holds them. */
export interface FontProgram {
  /** A TrueType file, deflated. */
  readonly file: Buffer;
  /** Its size before. */
  readonly fileBytes: number;
  /** The texts of the glyphs by their numbers, deflated. */
  readonly toUnicode: Buffer;
  /** In thousandths of the type size. */
  readonly widths: readonly number[];
}

/** So many are listed at once in a map of characters: numbers that differ in their last byte. */
const LIST_MAX = 64;
const HIGH_HALF = 0x10000;

/** The first of the glyphs is the one for what is missing. `level`: of the compression. */
export function fontProgram(
  { measures }: Typeface,
  glyphs: readonly TypefaceGlyph[],
  level: number = constants.Z_DEFAULT_COMPRESSION,
): FontProgram {
  const file = fontSubset(glyphs, measures);
  return {
    file: deflateSync(file, { level }),
    fileBytes: file.length,
    toUnicode: deflateSync(characterMap(glyphs), { level }),
    widths: glyphs.map(({ advance }) => advance),
  };
}

/** The number of a glyph as texts of a page name it. */
export function codeOf(number: number): string {
  return number.toString(16).padStart(4, '0');
}

/** ISO 32000-1, 9.10.3. */
function characterMap(glyphs: readonly TypefaceGlyph[]): string {
  const texts = glyphs.map(({ codePoints }) => `<${codePoints.map(utf16).join('')}>`);
  const lists: string[] = [];
  for (let from = 0; from < texts.length; from += LIST_MAX) {
    const some = texts.slice(from, from + LIST_MAX);
    lists.push(`<${codeOf(from)}> <${codeOf(from + some.length - 1)}> [${some.join(' ')}]`);
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${lists.length} beginbfrange
${lists.join('\n')}
endbfrange
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
}

function utf16(codePoint: number): string {
  if (codePoint < HIGH_HALF) return codeOf(codePoint);
  const text = String.fromCodePoint(codePoint);
  return codeOf(text.charCodeAt(0)) + codeOf(text.charCodeAt(1));
}
