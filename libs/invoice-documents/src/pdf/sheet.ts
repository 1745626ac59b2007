import PDFDocument from 'pdfkit';
import type { Weight } from '../fonts/font-files.js';
import { typeface, UNITS_PER_EM, type Layout } from '../fonts/typeface.js';
import { embedded } from '../images/embedded.js';
import type { PdfImage } from '../images/pdf-image.js';
import {
  boxOperators,
  imageOperators,
  modulesOperators,
  ruleOperators,
  textOperators,
} from './operators.js';
import { SheetFont } from './sheet-font.js';
import { brokenLines, oneLine } from './line-breaks.js';
import { markArchival } from './archival.js';
import type { Wording } from './wording.js';

/** Lengths are points, from the left and from the top of the page. */
export interface TextStyle {
  /** 9 by default. */
  readonly size?: number;
  readonly weight?: Weight;
  readonly color?: string;
  /** `right`: the text ends at x. */
  readonly align?: 'left' | 'right';
}

export interface SheetOptions {
  readonly title: string;
  readonly wording: Wording;
  /** The file says that it was made when this moment was. */
  readonly madeAt: Date;
}

export const INK = '#1a1f36';
export const GREY = '#697386';
export const PALE = '#e3e8ee';
const MARGIN = 50;
/** Kept free for what stands at the foot of every page. */
const FOOT = 70;
const SIZE = 9;
const LINE_HEIGHT = 1.4;
const PRODUCER = 'Popindex';
/** Name of the only image on a page. */
const LOGO = 'Logo';

/** Pages that are written from the top down; `y` is where they go on. */
export class Sheet {
  readonly left = MARGIN;
  readonly right: number;
  readonly width: number;
  /** Where the foot of a page begins. */
  readonly bottom: number;
  y = MARGIN;
  /** Whether a text held a character that no font has. */
  hasReplaced = false;
  readonly document: PDFKit.PDFDocument;
  /** The language that it is written in. */
  readonly wording: Wording;
  readonly #fonts: Readonly<Record<Weight, SheetFont>>;

  constructor({ title, wording, madeAt }: SheetOptions) {
    this.wording = wording;
    this.document = new PDFDocument({
      size: 'A4',
      margin: 0,
      bufferPages: true,
      pdfVersion: '1.7',
      lang: wording.language,
      displayTitle: true,
      // None of pdfkit's own.
      font: '',
      info: { Title: title, Creator: PRODUCER, Producer: PRODUCER, CreationDate: madeAt },
    });
    this.right = this.document.page.width - MARGIN;
    this.width = this.right - this.left;
    this.bottom = this.document.page.height - FOOT;
    const { document } = this;
    this.#fonts = {
      regular: new SheetFont(document, 'regular'),
      bold: new SheetFont(document, 'bold'),
    };
  }

  /** Writes one line. Characters that no font can show become U+FFFD, and `hasReplaced` is set. */
  text(text: string, x: number, y: number, style: TextStyle = {}): void {
    const { size = SIZE, weight = 'regular', color = INK, align } = style;
    const line = oneLine(text);
    if (line === '') return;
    const face = typeface(weight);
    const layout = face.layout(line);
    this.hasReplaced ||= layout.hasReplaced;
    const from = align === 'right' ? x - widthOf(layout, size) : x;
    const baseline = y + (face.measures.ascent * size) / UNITS_PER_EM;
    const font = this.#fonts[weight];
    const glyphs = font.glyphsOf(layout);
    const { page } = this.document as unknown as { page: { fonts: Record<string, unknown> } };
    page.fonts[glyphs.fontId] ??= font.ref(glyphs.fontId);
    const { positions } = layout;
    this.#write(textOperators(glyphs, { positions, size, color, x: from, baseline }));
  }

  /** Writes a text in as many lines as it takes, and returns where they end. */
  paragraph(text: string, x: number, y: number, width: number, style: TextStyle = {}): number {
    let end = y;
    for (const line of this.linesOf(text, width, style)) {
      this.text(line, x, end, style);
      end += lineHeight(style);
    }
    return end;
  }

  linesOf(text: string, width: number, style: TextStyle = {}): string[] {
    return brokenLines(oneLine(text), (part) => this.widthOf(part, style) <= width);
  }

  widthOf(text: string, { size = SIZE, weight = 'regular' }: TextStyle): number {
    return widthOf(typeface(weight).layout(text), size);
  }

  rule(y: number, color: string, from = this.left, to = this.right): void {
    this.#write(ruleOperators(from, to, y, color));
  }

  box(x: number, y: number, width: number, height: number, color: string): void {
    this.#write(boxOperators(x, y, width, height, color));
  }

  /** Shows an image within a box, as large as it fits. Returns its height. */
  image(image: PdfImage, x: number, y: number, within: { width: number; height: number }): number {
    const scale = Math.min(within.width / image.width, within.height / image.height);
    const [width, height] = [image.width * scale, image.height * scale];
    const { page } = this.document as unknown as { page: { xobjects: Record<string, unknown> } };
    page.xobjects[LOGO] = embedded(this.document, image);
    this.#write(imageOperators(LOGO, { x, y, width, height }));
    return height;
  }

  /** Shows the modules of a code in a square. */
  modules(modules: readonly (readonly boolean[])[], x: number, y: number, side: number): void {
    this.#write(modulesOperators(modules, { x, y, side, color: INK }));
  }

  addPage(): void {
    this.document.addPage();
    this.y = MARGIN;
  }

  // pdfkit's own text and lines take several times as long, which ten thousand invoices notice.
  #write(operators: string): void {
    this.document.addContent(operators);
  }

  /** Goes to a new page unless so much of this one is left. */
  reserve(height: number): void {
    if (this.y + height > this.bottom) this.addPage();
  }

  /** Writes on each page once all are there. */
  onEachPage(write: (page: number, pages: number) => void): void {
    const { start, count } = this.document.bufferedPageRange();
    for (let page = start; page < start + count; page += 1) {
      this.document.switchToPage(page);
      write(page + 1, count);
    }
  }

  finish(): Buffer {
    for (const font of Object.values(this.#fonts)) font.end();
    markArchival(this.document);
    this.document.end();
    return this.document.read() as Buffer;
  }
}

function widthOf({ advanceWidth }: Layout, size: number): number {
  return (advanceWidth * size) / UNITS_PER_EM;
}

/** From one line to the next. */
export function lineHeight({ size = SIZE }: TextStyle = {}): number {
  return size * LINE_HEIGHT;
}
