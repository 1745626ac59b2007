import { crc32, deflateSync, inflateSync } from 'node:zlib';
import type { PdfImage } from './pdf-image.js';
import { FILTERS, unfiltered } from './png-rows.js';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const CHUNK_BYTES = 12;
const HEADER_BYTES = 13;
const PALETTE_MAX = 768;
const CHANNEL_MAX = 255;
const BITS = 8;
/** Components of a pixel by colour type, and the bits that each may have. */
const TYPES: Readonly<Record<number, { channels: number; bits: readonly number[] }>> = {
  0: { channels: 1, bits: [1, 2, 4, 8] },
  2: { channels: 3, bits: [8] },
  3: { channels: 1, bits: [1, 2, 4, 8] },
  4: { channels: 2, bits: [8] },
  6: { channels: 4, bits: [8] },
};
const INDEXED = 3;

/** Parts of a PNG, whose sums were checked. */
interface Chunks {
  readonly header: Buffer;
  readonly palette: Buffer | undefined;
  readonly transparency: Buffer | undefined;
  readonly data: Buffer;
}

/**
 * A PNG of up to 8 bits that is not interlaced; undefined for anything else. What is transparent
 * becomes white, because a page of PDF/A had better hold nothing transparent.
 */
export function pngImage(bytes: Buffer): PdfImage | undefined {
  const chunks = chunksOf(bytes);
  if (chunks === undefined) return undefined;
  const { header, data } = chunks;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [bits = 0, type = -1, ...methods] = header.subarray(BITS);
  const { channels = 0, bits: possible = [] } = TYPES[type] ?? {};
  const isPlain = possible.includes(bits) && methods.every((method) => method === 0);
  if (!isPlain || width === 0 || height === 0) return undefined;
  const rowBytes = Math.ceil((width * channels * bits) / BITS);
  const rows = rowsOf(data, height, rowBytes);
  if (rows === undefined) return undefined;
  const image = { width, height, bits, filter: 'FlateDecode' } as const;
  if (type === INDEXED) {
    const palette = paletteOf(chunks);
    return palette && { ...image, colorSpace: 'DeviceRGB', palette, predicted: 1, data };
  }
  const colorSpace = channels <= 2 ? 'DeviceGray' : 'DeviceRGB';
  if (channels % 2 === 1) return { ...image, colorSpace, predicted: channels, data };
  const pixels = unfiltered(rows, rowBytes, channels);
  return { ...image, colorSpace, data: deflateSync(onWhite(pixels, channels)) };
}

function chunksOf(bytes: Buffer): Chunks | undefined {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return undefined;
  const found = new Map<string, Buffer[]>();
  let at = SIGNATURE.length;
  while (at + CHUNK_BYTES <= bytes.length && !found.has('IEND')) {
    const end = at + CHUNK_BYTES + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (bytes.readUInt32BE(end - 4) !== crc32(bytes.subarray(at + 4, end - 4))) return undefined;
    found.set(name, [...(found.get(name) ?? []), bytes.subarray(at + 8, end - 4)]);
    at = end;
  }
  const [header, data] = [found.get('IHDR')?.[0], found.get('IDAT')];
  if (header?.length !== HEADER_BYTES || data === undefined) return undefined;
  const [palette, transparency] = [found.get('PLTE')?.[0], found.get('tRNS')?.[0]];
  return { header, palette, transparency, data: Buffer.concat(data) };
}

/** All rows, each with its filter before it, if there are exactly so many bytes. */
function rowsOf(data: Buffer, height: number, rowBytes: number): Buffer | undefined {
  const length = height * (rowBytes + 1);
  const rows = inflated(data, length);
  if (rows?.length !== length) return undefined;
  for (let at = 0; at < length; at += rowBytes + 1) {
    if ((rows[at] ?? FILTERS) >= FILTERS) return undefined;
  }
  return rows;
}

function inflated(data: Buffer, lengthMax: number): Buffer | undefined {
  try {
    return inflateSync(data, { maxOutputLength: lengthMax });
  } catch {
    return undefined;
  }
}

function paletteOf({ palette, transparency }: Chunks): Buffer | undefined {
  if (palette === undefined || palette.length === 0) return undefined;
  if (palette.length > PALETTE_MAX || palette.length % 3 !== 0) return undefined;
  return Buffer.from(
    palette.map((channel, index) =>
      blended(channel, transparency?.[Math.floor(index / 3)] ?? CHANNEL_MAX),
    ),
  );
}

/** Pixels without their last component, which says how much of them covers what is below. */
function onWhite(pixels: Buffer, channels: number): Buffer {
  const colors = channels - 1;
  const covered = Buffer.alloc((pixels.length / channels) * colors);
  for (let to = 0, from = 0; to < covered.length; from += channels) {
    const alpha = pixels[from + colors] ?? CHANNEL_MAX;
    for (let color = 0; color < colors; color += 1, to += 1) {
      covered[to] = blended(pixels[from + color] ?? CHANNEL_MAX, alpha);
    }
  }
  return covered;
}

function blended(channel: number, alpha: number): number {
  return Math.round((channel * alpha + CHANNEL_MAX * (CHANNEL_MAX - alpha)) / CHANNEL_MAX);
}
