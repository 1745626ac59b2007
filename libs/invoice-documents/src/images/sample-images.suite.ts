import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

interface PngParts {
  readonly width: number;
  readonly height: number;
  readonly bits?: number;
  /** Colour type: 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha. */
  readonly type: number;
  readonly interlace?: number;
  readonly palette?: Buffer;
  readonly transparency?: Buffer;
  /** Rows, each with its filter before it. */
  readonly rows: Buffer;
}

/** A PNG of parts that may fit each other or not. */
export function png(parts: PngParts): Buffer {
  const { width, height, bits = 8, type, interlace = 0, palette, transparency, rows } = parts;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, type, 0, 0, interlace], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...(palette === undefined ? [] : [chunk('PLTE', palette)]),
    ...(transparency === undefined ? [] : [chunk('tRNS', transparency)]),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A drawn sign with round, half-covered edges: RGB with alpha, as design programs write it. */
export function signPng(width = 240, height = 80, color = [0x0a, 0x7d, 0x4f]): Buffer {
  const rows = Buffer.alloc(height * (width * 4 + 1));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const distance = Math.hypot(x - height / 2, y - height / 2) - height / 2 + 2;
      const isBar = x > height + 10 && y % 20 < 8 && x < width - (y % 40);
      const alpha = isBar ? 255 : Math.max(0, Math.min(255, Math.round(-distance * 128)));
      rows.set([...color, alpha], y * (width * 4 + 1) + 1 + x * 4);
    }
  }
  return png({ width, height, type: 6, rows });
}

/** The first bytes of a JPEG, up to its measures, and its end: as much of it as is read. */
export function jpegHead(components: number, frame = 0xc0, width = 64): Buffer {
  const app = Buffer.from('ffe000104a46494600010100000100010000', 'hex');
  const sof = Buffer.from([255, frame, 0, 8 + 3 * components, 8, 0, 32, 0, width, components]);
  const rest = Buffer.alloc(3 * components);
  return Buffer.concat([
    Buffer.of(255, 0xd8),
    app,
    sof,
    rest,
    Buffer.from([255, 0xda, 0, 0, 255, 0xd9]),
  ]);
}

/** A data URL as a page sends it. */
export function dataUrl(bytes: Buffer, type = 'image/png'): string {
  return `data:${type};base64,${bytes.toString('base64')}`;
}
