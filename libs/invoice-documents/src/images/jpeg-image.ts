import type { PdfImage } from './pdf-image.js';

const START = 0xff_d8;
const END = Buffer.of(0xff, 0xd9);
/** Frames that a PDF can hold: baseline, extended, progressive. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
/** Huffman tables, which share the numbers of frames. */
const TABLES = 0xc4;
const FRAME_FIRST = 0xc0;
const FRAME_LAST = 0xcf;
const MARKER = 0xff;
const MARKER_BYTES = 2;
const FRAME_BYTES = 10;
const BITS = 8;

/** A JPEG of RGB or grey; undefined for anything else. */
export function jpegImage(bytes: Buffer): PdfImage | undefined {
  if (bytes.length < FRAME_BYTES || bytes.readUInt16BE(0) !== START) return undefined;
  const at = frameAt(bytes);
  if (at === undefined || !bytes.includes(END, at)) return undefined;
  const [bits, height, width] = [
    bytes.readUInt8(at + 4),
    bytes.readUInt16BE(at + 5),
    bytes.readUInt16BE(at + 7),
  ];
  const components = bytes.readUInt8(at + 9);
  if (bits !== BITS || width === 0 || height === 0) return undefined;
  // Of CMYK nothing says which inks are meant, and PDF/A refuses that.
  if (components !== 1 && components !== 3) return undefined;
  const colorSpace = components === 1 ? 'DeviceGray' : 'DeviceRGB';
  return { width, height, bits, filter: 'DCTDecode', colorSpace, data: bytes };
}

/** Where the frame begins that has the measures. */
function frameAt(bytes: Buffer): number | undefined {
  let at = MARKER_BYTES;
  while (at + FRAME_BYTES <= bytes.length) {
    const marker = bytes.readUInt8(at + 1);
    if (bytes.readUInt8(at) !== MARKER) return undefined;
    if (FRAMES.has(marker)) return at;
    if (marker >= FRAME_FIRST && marker <= FRAME_LAST && marker !== TABLES) return undefined;
    at += MARKER_BYTES + bytes.readUInt16BE(at + MARKER_BYTES);
  }
  return undefined;
}
