import type { GlyphOutline } from './glyph-outline.js';

/** All that a font file says of a glyph, in thousandths of the type size. */
export interface SubsetGlyph {
  readonly advance: number;
  readonly outline: GlyphOutline;
}

/** Measures of a whole font, in thousandths of the type size. */
export interface FontMeasures {
  readonly ascent: number;
  readonly descent: number;
  readonly lineGap: number;
  /** minX, minY, maxX, maxY. */
  readonly box: readonly [number, number, number, number];
}

const UNITS_PER_EM = 1000;
const MAGIC = 0x5f0f3cf5;
const CHECKSUM_BASE = 0xb1b0afba;
const CHECKSUM_ADJUSTMENT_AT = 8;
const TABLE_ENTRY_BYTES = 16;
const DIRECTORY_BYTES = 12;

/**
 * A TrueType font of some glyphs, numbered as they come, with the tables that PDF asks for (ISO
 * 32000-1, 9.9). The same glyphs give the same bytes.
 */
export function fontSubset(glyphs: readonly SubsetGlyph[], measures: FontMeasures): Buffer {
  const outlines = glyphs.map(({ outline }) => padded(outline.bytes));
  return fontFile({
    glyf: Buffer.concat(outlines),
    head: head(measures),
    hhea: hhea(measures, glyphs),
    hmtx: hmtx(glyphs),
    loca: loca(outlines),
    maxp: maxp(glyphs),
  });
}

function padded(bytes: Buffer): Buffer {
  const missing = -bytes.length & 3;
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)]);
}

function int16s(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, index) => bytes.writeUInt16BE(value & 0xffff, 2 * index));
  return bytes;
}

function head({ box }: FontMeasures): Buffer {
  const bytes = Buffer.alloc(54);
  bytes.writeUInt32BE(0x00010000, 0);
  bytes.writeUInt32BE(0x00010000, 4);
  bytes.writeUInt32BE(MAGIC, 12);
  // Baseline and left side bearings at 0.
  bytes.writeUInt16BE(0b11, 16);
  bytes.writeUInt16BE(UNITS_PER_EM, 18);
  box.forEach((edge, index) => bytes.writeInt16BE(Math.round(edge), 36 + 2 * index));
  bytes.writeUInt16BE(6, 46);
  bytes.writeInt16BE(2, 48);
  // Offsets of glyphs have four bytes.
  bytes.writeInt16BE(1, 50);
  return bytes;
}

function hhea({ ascent, descent, lineGap }: FontMeasures, glyphs: readonly SubsetGlyph[]): Buffer {
  const widest = Math.max(...glyphs.map(({ advance }) => Math.round(advance)));
  const measures = [ascent, descent, lineGap].map(Math.round);
  const unused = Array.from<number>({ length: 11 }).fill(0);
  unused[3] = 1;
  return int16s([1, 0, ...measures, widest, ...unused, glyphs.length]);
}

function hmtx(glyphs: readonly SubsetGlyph[]): Buffer {
  return int16s(glyphs.flatMap(({ advance, outline }) => [Math.round(advance), outline.xMin]));
}

function loca(outlines: readonly Buffer[]): Buffer {
  const bytes = Buffer.alloc(4 * (outlines.length + 1));
  let offset = 0;
  outlines.forEach((outline, index) => {
    offset += outline.length;
    bytes.writeUInt32BE(offset, 4 * (index + 1));
  });
  return bytes;
}

function maxp(glyphs: readonly SubsetGlyph[]): Buffer {
  const points = Math.max(...glyphs.map(({ outline }) => outline.points));
  const contours = Math.max(...glyphs.map(({ outline }) => outline.contours));
  // Two zones, and nothing that instructions or composite glyphs would take.
  const unused = Array.from<number>({ length: 8 }).fill(0);
  return int16s([1, 0, glyphs.length, points, contours, 0, 0, 2, ...unused]);
}

function fontFile(tables: Readonly<Record<string, Buffer>>): Buffer {
  const entries = Object.entries(tables);
  const directory = Buffer.alloc(DIRECTORY_BYTES + TABLE_ENTRY_BYTES * entries.length);
  const power = Math.floor(Math.log2(entries.length));
  directory.writeUInt32BE(0x00010000, 0);
  directory.writeUInt16BE(entries.length, 4);
  directory.writeUInt16BE(16 * 2 ** power, 6);
  directory.writeUInt16BE(power, 8);
  directory.writeUInt16BE(16 * (entries.length - 2 ** power), 10);
  let offset = directory.length;
  let headAt = 0;
  entries.forEach(([tag, bytes], index) => {
    if (tag === 'head') headAt = offset;
    const at = DIRECTORY_BYTES + TABLE_ENTRY_BYTES * index;
    directory.write(tag, at, 'latin1');
    directory.writeUInt32BE(checksum(padded(bytes)), at + 4);
    directory.writeUInt32BE(offset, at + 8);
    directory.writeUInt32BE(bytes.length, at + 12);
    offset += padded(bytes).length;
  });
  const file = Buffer.concat([directory, ...entries.map(([, bytes]) => padded(bytes))]);
  file.writeUInt32BE((CHECKSUM_BASE - checksum(file)) >>> 0, headAt + CHECKSUM_ADJUSTMENT_AT);
  return file;
}

/** The sum of a table's words of four bytes, of which its length is a multiple. */
function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
}
