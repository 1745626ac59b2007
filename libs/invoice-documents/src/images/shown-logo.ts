import { logoImage } from './logo.js';
import type { PdfImage } from './pdf-image.js';

/** By SHA-256: one is read once for all documents of this process. */
const known = new Map<string, PdfImage | undefined>();
const KNOWN_MAX = 16;

/** The logo for a page, by its bytes and their SHA-256; undefined where it cannot be shown. */
export function shownLogo(bytes: Uint8Array, sha256 = ''): PdfImage | undefined {
  if (known.has(sha256)) return known.get(sha256);
  if (known.size >= KNOWN_MAX) known.clear();
  const image = logoImage(Buffer.from(bytes));
  known.set(sha256, image);
  return image;
}
