import type { Weight } from '../fonts/font-files.js';
import { codeOf, fontProgram, type FontProgram } from '../fonts/font-program.js';
import { typeface, type Layout, type Typeface, type TypefaceGlyph } from '../fonts/typeface.js';
import { addDeflated, addObject } from './add-object.js';

/** Glyphs of a line by the font of the document that holds them all. */
export interface SheetGlyphs {
  /** Name of the font on pages. */
  readonly fontId: string;
  /** Their numbers in it, in hexadecimal. */
  readonly codes: readonly string[];
}

/** Glyphs that all documents hold, whatever they use, so that their font is made once. */
interface Common {
  readonly program: FontProgram;
  readonly codes: ReadonlyMap<TypefaceGlyph, string>;
}

interface Names {
  /** Of the font of all documents and of that of the others, on pages. */
  readonly ids: readonly [common: string, other: string];
  /** Before its name, as a font that is a part of another has to be called. */
  readonly tags: readonly [common: string, other: string];
}

const NAMES: Readonly<Record<Weight, Names>> = {
  regular: { ids: ['F1', 'F3'], tags: ['AAAAAA', 'AAAAAC'] },
  bold: { ids: ['F2', 'F4'], tags: ['AAAAAB', 'AAAAAD'] },
};
/** Characters of nearly all lines in western Europe: each one more is in every document. */
const COMMON =
  ' ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789' +
  "!%&()*+,-./:;@_'\u00a0ÄÅÉÖØÜßàáäåæçèéêíñóöøúü§–’·…€";
const BEST_COMPRESSION = 9;
/** Of a font that is none for symbols: its glyphs are named by their numbers alone. */
const FLAGS = 4;
/** pdfkit writes such objects as strings, and other texts as names. */
const IDENTITY = {
  Registry: new String('Adobe'),
  Ordering: new String('Identity'),
  Supplement: 0,
};

const commons = new Map<Weight, Common>();

function commonOf(weight: Weight): Common {
  const known = commons.get(weight);
  if (known !== undefined) return known;
  const face = typeface(weight);
  const glyphs = [...new Set([face.getGlyph(0), ...face.layout(COMMON).glyphs])];
  const made = {
    program: fontProgram(face, glyphs, BEST_COMPRESSION),
    codes: new Map(glyphs.map((glyph, number) => [glyph, codeOf(number)])),
  };
  commons.set(weight, made);
  return made;
}

/**
 * One weight of the typeface in a document: one font of the glyphs that nearly all texts are made
 * of, the same bytes everywhere, and a second one of the lines that need more than these. Readers
 * take a line apart where its font changes, and put one from right to left together wrongly.
 */
export class SheetFont {
  readonly #face: Typeface;
  readonly #names: Names;
  readonly #common: Common;
  readonly #others = new Map<TypefaceGlyph, string>();
  readonly #refs = new Map<string, PDFKit.PDFKitReference>();

  constructor(
    private readonly document: PDFKit.PDFDocument,
    weight: Weight,
  ) {
    this.#face = typeface(weight);
    this.#names = NAMES[weight];
    this.#common = commonOf(weight);
  }

  /** Its glyphs, which the document holds from now on. */
  glyphsOf({ glyphs }: Layout): SheetGlyphs {
    const [common, other] = this.#names.ids;
    const codes: string[] = [];
    for (const glyph of glyphs) {
      const code = this.#common.codes.get(glyph);
      if (code === undefined) {
        return { fontId: other, codes: glyphs.map((each) => this.#other(each)) };
      }
      codes.push(code);
    }
    return { fontId: common, codes };
  }

  /** The font of this name, for the resources of a page. */
  ref(fontId: string): PDFKit.PDFKitReference {
    const known = this.#refs.get(fontId) ?? this.document.ref({});
    this.#refs.set(fontId, known);
    return known;
  }

  /** Writes what pages refer to. */
  end(): void {
    const [common, other] = this.#names.ids;
    const [commonTag, otherTag] = this.#names.tags;
    this.#write(common, commonTag, () => this.#common.program);
    this.#write(other, otherTag, () =>
      fontProgram(this.#face, [this.#face.getGlyph(0), ...this.#others.keys()]),
    );
  }

  #other(glyph: TypefaceGlyph): string {
    // The first is the one for what is missing.
    const code = this.#others.get(glyph) ?? codeOf(1 + this.#others.size);
    this.#others.set(glyph, code);
    return code;
  }

  /** ISO 32000-1, 9.7 and 9.8. */
  #write(fontId: string, tag: string, make: () => FontProgram): void {
    const ref = this.#refs.get(fontId);
    if (ref === undefined) return;
    const { file, fileBytes, toUnicode, widths } = make();
    const { document } = this;
    const { ascent, descent, box } = this.#face.measures;
    const name = `${tag}+${this.#face.name}`;
    const descriptor = addObject(document, {
      Type: 'FontDescriptor',
      FontName: name,
      Flags: FLAGS,
      FontBBox: [...box],
      ItalicAngle: 0,
      Ascent: ascent,
      Descent: descent,
      CapHeight: this.#face.capHeight,
      XHeight: this.#face.xHeight,
      StemV: 0,
      FontFile2: addDeflated(document, file, { Length1: fileBytes }),
    });
    const descendant = addObject(document, {
      Type: 'Font',
      Subtype: 'CIDFontType2',
      BaseFont: name,
      CIDSystemInfo: IDENTITY,
      FontDescriptor: descriptor,
      W: [0, [...widths]],
      CIDToGIDMap: 'Identity',
    });
    Object.assign(ref.data, {
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: name,
      Encoding: 'Identity-H',
      DescendantFonts: [descendant],
      ToUnicode: addDeflated(document, toUnicode),
    });
    ref.end(undefined);
  }
}
