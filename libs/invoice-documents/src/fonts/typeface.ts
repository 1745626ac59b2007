import type { Font, Glyph } from 'fontkit';
import { fontFiles, type FontFile, type Weight } from './font-files.js';
import { fontSubset, type SubsetGlyph } from './font-subset.js';
import { glyphOutline } from './glyph-outline.js';
import { visualRuns, type VisualRun } from './visual-runs.js';

/** A glyph of any of the files, in thousandths of the type size. */
interface TypefaceGlyph extends SubsetGlyph {
  /** Number in this process. A document numbers its glyphs in the order of its text. */
  readonly id: number;
  readonly advanceWidth: number;
  /** The text that is copied with the glyph. */
  readonly codePoints: readonly number[];
}

interface Position {
  readonly xAdvance: number;
  readonly yAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

interface Layout {
  readonly glyphs: TypefaceGlyph[];
  readonly positions: Position[];
  advanceWidth: number;
}

/** A piece of a run that one file sets. */
interface Piece {
  readonly file: number;
  text: string;
}

/** Is shown for what no file holds. */
export const REPLACEMENT = '\ufffd';
const UNITS_PER_EM = 1000;
/** Letters of Latin, Greek and Cyrillic, digits and signs: one glyph each, side by side. */
const SIMPLE =
  /^[ -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\u20cf\u2100-\u22ff\ufffd]*$/;
/** Without ink of their own, and in hardly any file. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * One weight of all the files as if it were a single font: what a text needs comes from the first
 * file that holds it. Has the members of a parsed font that pdfkit reads.
 */
export class Typeface {
  readonly unitsPerEm = UNITS_PER_EM;
  readonly italicAngle = 0;
  readonly post = { isFixedPitch: false };
  readonly head = { macStyle: { italic: false } };
  readonly postscriptName: string;
  readonly ascent: number;
  readonly descent: number;
  readonly lineGap: number;
  readonly xHeight: number;
  readonly capHeight: number;
  readonly bbox: Font['bbox'];
  readonly #files: readonly FontFile[];
  readonly #glyphs: TypefaceGlyph[] = [];
  readonly #glyphIds = new Map<string, number>();
  readonly #simple = new Map<string, TypefaceGlyph>();

  constructor(weight: Weight) {
    this.#files = fontFiles(weight);
    const base = this.#font(0);
    this.postscriptName = base.postscriptName;
    this.ascent = base.ascent;
    this.descent = base.descent;
    this.lineGap = base.lineGap;
    this.xHeight = base.xHeight;
    this.capHeight = base.capHeight;
    this.bbox = base.bbox;
    this.#known(0, base.getGlyph(0), [0]);
  }

  getGlyph(id: number): TypefaceGlyph {
    const glyph = this.#glyphs[id];
    if (glyph === undefined) throw new RangeError(`There is no glyph ${id}.`);
    return glyph;
  }

  /** The glyphs of a line from left to right, as fontkit's `layout` gives them. */
  layout(line: string): Layout {
    const simple = this.#simpleGlyphs(line);
    const layout: Layout = { glyphs: [], positions: [], advanceWidth: 0 };
    if (simple === undefined) for (const run of visualRuns(line)) this.#setRun(run, layout);
    else for (const glyph of simple) place(glyph, { xAdvance: glyph.advanceWidth }, layout);
    return layout;
  }

  /** Whether every character of a text can be shown. */
  canShow(text: string): boolean {
    if (this.#simpleGlyphs(text) !== undefined) return true;
    return clusters(text).every((cluster) => this.#fileOf(cluster) !== undefined);
  }

  createSubset(): { includeGlyph(id: number): number; encode(): Buffer } {
    const numbers = new Map([[0, 0]]);
    const { ascent, descent, lineGap, bbox } = this;
    const box = [bbox.minX, bbox.minY, bbox.maxX, bbox.maxY] as const;
    return {
      includeGlyph: (id) => {
        const number = numbers.get(id) ?? numbers.size;
        numbers.set(id, number);
        return number;
      },
      encode: () => {
        const glyphs = Array.from(numbers.keys(), (id) => this.getGlyph(id));
        return fontSubset(glyphs, { ascent, descent, lineGap, box });
      },
    };
  }

  /** Undefined for a text that asks for shaping or for another file. */
  #simpleGlyphs(text: string): TypefaceGlyph[] | undefined {
    if (!SIMPLE.test(text)) return undefined;
    const glyphs: TypefaceGlyph[] = [];
    for (const character of text) {
      const glyph = this.#simple.get(character) ?? this.#simpleGlyph(character);
      if (glyph === undefined) return undefined;
      glyphs.push(glyph);
    }
    return glyphs;
  }

  #simpleGlyph(character: string): TypefaceGlyph | undefined {
    const codePoint = character.codePointAt(0) ?? 0;
    const base = this.#font(0);
    if (!base.hasGlyphForCodePoint(codePoint)) return undefined;
    const glyph = this.#known(0, base.glyphForCodePoint(codePoint), [codePoint]);
    this.#simple.set(character, glyph);
    return glyph;
  }

  #setRun({ text, direction }: VisualRun, layout: Layout): void {
    const pieces = this.#pieces(text);
    for (const { file, text: part } of direction === 'rtl' ? pieces.toReversed() : pieces) {
      const font = this.#font(file);
      const scale = UNITS_PER_EM / font.unitsPerEm;
      // A glyph that fontkit remembers keeps the characters it was first made for, or none.
      Object.assign(font, { _glyphs: {} });
      const run = font.layout(part, undefined, undefined, undefined, direction);
      run.glyphs.forEach((glyph, index) => {
        const { xAdvance = 0, xOffset = 0, yOffset = 0 } = run.positions[index] ?? {};
        const position = {
          xAdvance: xAdvance * scale,
          xOffset: xOffset * scale,
          yOffset: yOffset * scale,
        };
        place(this.#known(file, glyph, glyph.codePoints), position, layout);
      });
    }
  }

  #pieces(text: string): Piece[] {
    const pieces: Piece[] = [];
    for (const cluster of clusters(text)) {
      const found = this.#fileOf(cluster);
      const file = found ?? 0;
      const shown = found === undefined ? REPLACEMENT : cluster;
      const last = pieces.at(-1);
      if (last?.file === file) last.text += shown;
      else pieces.push({ file, text: shown });
    }
    return pieces;
  }

  /** The first file that holds all that a reader sees as one character. */
  #fileOf(cluster: string): number | undefined {
    const codePoints = Array.from(cluster, (character) => character.codePointAt(0) ?? 0);
    const inked = codePoints.filter((code) => !IGNORABLE.test(String.fromCodePoint(code)));
    const found = this.#files.findIndex(
      (file) =>
        inked.every((code) => file.mayHold(code)) &&
        inked.every((code) => file.open().hasGlyphForCodePoint(code)),
    );
    return found === -1 ? undefined : found;
  }

  #file(file: number): FontFile {
    const found = this.#files[file];
    if (found === undefined) throw new RangeError(`There is no font ${file}.`);
    return found;
  }

  #font(file: number): Font {
    return this.#file(file).open();
  }

  /** One glyph that stands for several characters is several, so that each is copied as itself. */
  #known(file: number, glyph: Glyph, codePoints: readonly number[]): TypefaceGlyph {
    const name = `${file} ${glyph.id} ${codePoints.join(' ')}`;
    const known = this.#glyphIds.get(name);
    if (known !== undefined) return this.getGlyph(known);
    const scale = UNITS_PER_EM / this.#font(file).unitsPerEm;
    const advance = glyph.advanceWidth * scale;
    const outline = glyphOutline(this.#file(file).outlineOf(glyph), scale);
    const id = this.#glyphs.length;
    const added = { id, advance, advanceWidth: advance, codePoints: [...codePoints], outline };
    this.#glyphs.push(added);
    this.#glyphIds.set(name, id);
    return added;
  }
}

/** Makes new positions each time: pdfkit scales them in place. */
function place(
  glyph: TypefaceGlyph,
  { xAdvance, xOffset = 0, yOffset = 0 }: Partial<Position> & Pick<Position, 'xAdvance'>,
  layout: Layout,
): void {
  layout.glyphs.push(glyph);
  layout.positions.push({ xAdvance, yAdvance: 0, xOffset, yOffset });
  layout.advanceWidth += xAdvance;
}

function clusters(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

const typefaces = new Map<Weight, Typeface>();

/** The typeface of a weight, read once for all documents of this process. */
export function typeface(weight: Weight): Typeface {
  const known = typefaces.get(weight) ?? new Typeface(weight);
  typefaces.set(weight, known);
  return known;
}
