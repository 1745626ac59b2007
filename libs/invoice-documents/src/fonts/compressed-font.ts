import { readFileSync } from 'node:fs';
import { create, type Font, type Glyph, type PathCommand } from 'fontkit';

interface Point {
  x: number;
  y: number;
  endContour: boolean;
  copy(): Point;
}

/** Members of a font that fontkit keeps for itself. */
interface Internals {
  readonly _variationProcessor: { transformPoints(glyph: number, points: Point[]): void };
  readonly _transformedGlyphs: readonly { readonly points?: readonly Point[] }[];
}

/** Four points that stand for the edges of a glyph, which no outline needs. */
const EDGES = 4;

/**
 * A variable font in WOFF2 at one weight. Fontkit reads both, but not together: there it leaves
 * every outline at the font's lightest weight, which is moved here.
 */
export class CompressedFont {
  readonly font: Font;
  readonly #moved = new Set<number>();

  constructor(file: string, weight: number) {
    const variation = { variationCoords: [weight] };
    this.font = Object.assign(create(readFileSync(file)) as Font, variation);
  }

  outlineOf({ id }: Glyph): readonly PathCommand[] {
    if (!this.#moved.has(id)) this.#move(id);
    this.#moved.add(id);
    // A glyph that fontkit remembers keeps the outline that it had before.
    Object.assign(this.font, { _glyphs: {} });
    return this.font.getGlyph(id).path.commands;
  }

  #move(id: number): void {
    const { _variationProcessor, _transformedGlyphs } = this.font as unknown as Internals;
    const points = _transformedGlyphs[id]?.points ?? [];
    const edges = Array.from({ length: EDGES }, () => pointAt(0, 0));
    _variationProcessor.transformPoints(id, [...points, ...edges]);
  }
}

function pointAt(x: number, y: number): Point {
  return { x, y, endContour: true, copy: () => pointAt(x, y) };
}
