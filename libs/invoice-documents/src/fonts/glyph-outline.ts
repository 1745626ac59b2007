import type { PathCommand } from 'fontkit';

/** A glyph as TrueType stores it, in thousandths of the type size. */
export interface GlyphOutline {
  /** Empty for a glyph without ink. */
  readonly bytes: Buffer;
  readonly xMin: number;
  readonly points: number;
  readonly contours: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly isOnCurve: boolean;
}

const ON_CURVE = 0x01;
/** Of x; those of y are the next higher bits. */
const SHORT = 0x02;
const SAME_OR_POSITIVE = 0x10;
const SHORT_MAX = 255;
const HEADER_BYTES = 10;
const TOLERANCE = 0.01;
const NO_INK: GlyphOutline = { bytes: Buffer.alloc(0), xMin: 0, points: 0, contours: 0 };

/**
 * Encodes an outline of lines and quadratic curves. Hints are not kept: they serve screens of few
 * pixels, and printing needs none. Throws for cubic curves, which TrueType does not have.
 */
export function glyphOutline(commands: readonly PathCommand[], scale: number): GlyphOutline {
  const contours = contoursOf(commands)
    .map((contour) => withoutImplied(contour).map((point) => scaled(point, scale)))
    .filter((contour) => contour.length > 1);
  const points = contours.flat();
  if (points.length === 0) return NO_INK;
  const xMin = Math.min(...points.map(({ x }) => x));
  const bytes = Buffer.concat([header(contours, points, xMin), coordinates(points)]);
  return { bytes, xMin, points: points.length, contours: contours.length };
}

function scaled({ x, y, isOnCurve }: Point, scale: number): Point {
  return { x: Math.round(x * scale), y: Math.round(y * scale), isOnCurve };
}

function contoursOf(commands: readonly PathCommand[]): Point[][] {
  const contours: Point[][] = [];
  for (const { command, args } of commands) {
    if (command === 'bezierCurveTo') throw new Error('TrueType has no cubic curves.');
    if (command === 'closePath') continue;
    if (command === 'moveTo') contours.push([]);
    for (let index = 0; index < args.length; index += 2) {
      const isOnCurve = index === args.length - 2;
      contours.at(-1)?.push({ x: args[index] ?? 0, y: args[index + 1] ?? 0, isOnCurve });
    }
  }
  return contours.map(withoutRepeatedStart);
}

/** A contour is closed by itself. */
function withoutRepeatedStart(contour: Point[]): Point[] {
  const [first, last] = [contour[0], contour.at(-1)];
  const isRepeated = contour.length > 1 && first?.x === last?.x && first?.y === last?.y;
  return isRepeated && last?.isOnCurve ? contour.slice(0, -1) : contour;
}

/** Leaves out what lies in the middle between two control points: readers put it there again. */
function withoutImplied(contour: readonly Point[]): Point[] {
  return contour.filter((point, index) => {
    const before = contour.at(index - 1);
    const after = contour[(index + 1) % contour.length];
    if (!point.isOnCurve || !before || !after || before.isOnCurve || after.isOnCurve) return true;
    const fromMiddle =
      Math.abs(point.x - (before.x + after.x) / 2) + Math.abs(point.y - (before.y + after.y) / 2);
    return fromMiddle > TOLERANCE;
  });
}

function header(contours: readonly Point[][], points: readonly Point[], xMin: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + 2 * contours.length + 2);
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  bytes.writeInt16BE(contours.length, 0);
  bytes.writeInt16BE(xMin, 2);
  bytes.writeInt16BE(Math.min(...ys), 4);
  bytes.writeInt16BE(Math.max(...xs), 6);
  bytes.writeInt16BE(Math.max(...ys), 8);
  let last = -1;
  contours.forEach((contour, index) => {
    last += contour.length;
    bytes.writeUInt16BE(last, HEADER_BYTES + 2 * index);
  });
  return bytes;
}

function coordinates(points: readonly Point[]): Buffer {
  const flags: number[] = [];
  const xs: number[] = [];
  const ys: number[] = [];
  let [x, y] = [0, 0];
  for (const point of points) {
    const onCurve = point.isOnCurve ? ON_CURVE : 0;
    flags.push(onCurve | step(point.x - x, xs) | (step(point.y - y, ys) << 1));
    ({ x, y } = point);
  }
  return Buffer.from([...flags, ...xs, ...ys]);
}

/** Writes a difference in as few bytes as it takes and returns its flags. */
function step(difference: number, bytes: number[]): number {
  if (difference === 0) return SAME_OR_POSITIVE;
  const size = Math.abs(difference);
  if (size <= SHORT_MAX) {
    bytes.push(size);
    return difference > 0 ? SHORT | SAME_OR_POSITIVE : SHORT;
  }
  bytes.push((difference >> 8) & 0xff, difference & 0xff);
  return 0;
}
