import type { Font, Glyph } from 'fontkit';
import { fontFiles, type FontFile, type Weight } from './font-files.js';
import type { FontMeasures, SubsetGlyph } from './font-subset.js';
import { glyphOutline } from './glyph-outline.js';
import { visualRuns, type VisualRun } from './visual-runs.js';

/** A glyph of any of the files, in thousandths of the type size. */
export interface TypefaceGlyph extends SubsetGlyph {
  /** Number in this process. A font of a document numbers its glyphs as they come. */
  readonly id: number;
  /** The text that is copied with the glyph. */
  readonly codePoints: readonly number[];
}

/** Where a glyph stands, and where the next one does, in thousandths of the type size. */
export interface Position {
  readonly xAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

/** The glyphs of a line from left to right. */
export interface Layout {
  readonly glyphs: TypefaceGlyph[];
  /** Null: each glyph stands where the one before ends. */
  readonly positions: Position[] | null;
  /** Whether something that no file holds is shown as U+FFFD. */
  hasReplaced: boolean;
  advanceWidth: number;
}

/** A piece of a run that one file sets. */
interface Piece {
  readonly file: number;
  text: string;
}

/** Is shown for what no file holds. */
export const REPLACEMENT = '\ufffd';
/** All measures are thousandths of the type size. */
export const UNITS_PER_EM = 1000;
/** Letters of Latin, Greek and Cyrillic, digits and signs: one glyph each, side by side. */
const SIMPLE =
  /^[ -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\u20cf\u2100-\u22ff\ufffd]*$/;
/** Without ink of their own, and in hardly any file. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * One weight of all the files as if it were a single font: what a text needs comes from the first
 * file that holds it.
 */
export class Typeface {
  readonly name: string;
  readonly measures: FontMeasures;
  readonly capHeight: number;
  readonly xHeight: number;
  readonly #files: readonly FontFile[];
  readonly #glyphs: TypefaceGlyph[] = [];
  readonly #glyphIds = new Map<string, number>();
  readonly #simple = new Map<string, TypefaceGlyph>();

  constructor(weight: Weight) {
    this.#files = fontFiles(weight);
    const base = this.#font(0);
    const { ascent, descent, lineGap, bbox } = base;
    this.name = base.postscriptName;
    this.measures = { ascent, descent, lineGap, box: [bbox.minX, bbox.minY, bbox.maxX, bbox.maxY] };
    this.xHeight = base.xHeight;
    this.capHeight = base.capHeight;
    this.#known(0, base.getGlyph(0), [0]);
  }

  getGlyph(id: number): TypefaceGlyph {
    const glyph = this.#glyphs[id];
    if (glyph === undefined) throw new RangeError(`There is no glyph ${id}.`);
    return glyph;
  }

  layout(line: string): Layout {
    const simple = this.#simpleGlyphs(line);
    const layout: Layout = { glyphs: [], positions: [], hasReplaced: false, advanceWidth: 0 };
    if (simple === undefined) {
      for (const run of visualRuns(line)) this.#setRun(run, layout);
      return isAsTheFontSays(layout) ? { ...layout, positions: null } : layout;
    }
    const advanceWidth = simple.reduce((sum, { advance }) => sum + advance, 0);
    return { glyphs: simple, positions: null, hasReplaced: false, advanceWidth };
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
    const pieces = this.#pieces(text, layout);
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

  #pieces(text: string, layout: Layout): Piece[] {
    const pieces: Piece[] = [];
    for (const cluster of clusters(text)) {
      const found = this.#fileOf(cluster);
      const file = found ?? 0;
      const shown = found === undefined ? REPLACEMENT : cluster;
      layout.hasReplaced ||= found === undefined;
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
    const added = { id, advance, codePoints: [...codePoints], outline };
    this.#glyphs.push(added);
    this.#glyphIds.set(name, id);
    return added;
  }
}

function place(glyph: TypefaceGlyph, position: Position, layout: Layout): void {
  layout.glyphs.push(glyph);
  layout.positions?.push(position);
  layout.advanceWidth += position.xAdvance;
}

function isAsTheFontSays({ glyphs, positions }: Layout): boolean {
  return glyphs.every(({ advance }, index) => {
    const { xAdvance, xOffset, yOffset } = positions?.[index] ?? {};
    return xAdvance === advance && xOffset === 0 && yOffset === 0;
  });
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
