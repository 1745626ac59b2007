/** The byte that a filter predicts from the one to the left, the one above, and the one between. */
type Predict = (left: number, above: number, corner: number) => number;

const PREDICTIONS: readonly Predict[] = [
  () => 0,
  (left) => left,
  (_left, above) => above,
  (left, above) => (left + above) >> 1,
  paeth,
];

/** Number of filters. */
export const FILTERS = PREDICTIONS.length;

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const toLeft = Math.abs(guess - left);
  const toAbove = Math.abs(guess - above);
  const toCorner = Math.abs(guess - corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/**
 * Pixels of rows that each begin with the number of their filter (PNG, 9.2). `step`: bytes of a
 * pixel.
 */
export function unfiltered(rows: Buffer, rowBytes: number, step: number): Buffer {
  const pixels = Buffer.alloc((rows.length / (rowBytes + 1)) * rowBytes);
  let from = 0;
  for (let start = 0; start < pixels.length; start += rowBytes) {
    const predict = PREDICTIONS[rows[from++] ?? 0] ?? paeth;
    for (let at = start; at < start + rowBytes; at += 1) {
      const hasLeft = at - start >= step;
      const left = hasLeft ? (pixels[at - step] ?? 0) : 0;
      const above = pixels[at - rowBytes] ?? 0;
      const corner = hasLeft ? (pixels[at - rowBytes - step] ?? 0) : 0;
      pixels[at] = (rows[from++] ?? 0) + predict(left, above, corner);
    }
  }
  return pixels;
}
