import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { LOGO_BYTES_MAX, logoImage, logoOf, logoUrl } from './logo.js';
import { dataUrl, jpegHead, png, signPng } from './sample-images.suite.js';

const ONE = { width: 1, height: 1 };
const RGB = png({ ...ONE, type: 2, rows: Buffer.of(0, 1, 2, 3) });

test.each<[string, Buffer, object]>([
  ['grey', png({ ...ONE, type: 0, rows: Buffer.of(0, 9) }), { colorSpace: 'DeviceGray' }],
  ['RGB', RGB, { colorSpace: 'DeviceRGB', predicted: 3, bits: 8, filter: 'FlateDecode' }],
  [
    'a palette, half of which is transparent',
    png({
      ...ONE,
      type: 3,
      bits: 1,
      palette: Buffer.of(0, 0, 0, 10, 20, 30),
      transparency: Buffer.of(0),
      rows: Buffer.of(0, 0x80),
    }),
    { bits: 1, palette: Buffer.of(255, 255, 255, 10, 20, 30) },
  ],
  ['a JPEG of RGB', jpegHead(3), { width: 64, height: 32, filter: 'DCTDecode' }],
  ['a grey progressive JPEG', jpegHead(1, 0xc2), { colorSpace: 'DeviceGray' }],
])('a logo may be %s', (_name, bytes, expected) => {
  const type = bytes[0] === 0x89 ? 'image/png' : 'image/jpeg';
  const url = dataUrl(bytes, type);
  expect(logoOf(url)).toEqual({ type, bytes });
  expect(logoUrl(bytes)).toBe(url);
  expect(logoImage(bytes)).toMatchObject(expected);
});

test.each<[string, string]>([
  ['no data URL', 'https://example.com/logo.png'],
  ['another type', dataUrl(Buffer.from('<svg/>'), 'image/svg+xml')],
  ['another type than it says', dataUrl(RGB, 'image/jpeg')],
  ['no base64', 'data:image/png;base64,abc'],
  ['nothing', 'data:image/png;base64,'],
  ['cut off', dataUrl(RGB.subarray(0, -20))],
  ['damaged', dataUrl(Buffer.from(RGB.map((byte, at) => (at === 20 ? byte ^ 1 : byte))))],
  ['too few rows', dataUrl(png({ width: 1, height: 2, type: 2, rows: Buffer.of(0, 1, 2, 3) }))],
  ['too many rows', dataUrl(png({ ...ONE, type: 0, rows: Buffer.of(0, 1, 0, 2) }))],
  ['interlaced', dataUrl(png({ ...ONE, type: 0, interlace: 1, rows: Buffer.of(0, 9) }))],
  ['of 16 bits', dataUrl(png({ ...ONE, type: 0, bits: 16, rows: Buffer.of(0, 9, 9) }))],
  ['a palette without one', dataUrl(png({ ...ONE, type: 3, rows: Buffer.of(0, 0) }))],
  ['an unknown filter', dataUrl(png({ ...ONE, type: 6, rows: Buffer.of(5, 1, 2, 3, 4) }))],
  ['an unknown filter of RGB', dataUrl(png({ ...ONE, type: 2, rows: Buffer.of(5, 1, 2, 3) }))],
  ['too wide', dataUrl(png({ width: 2001, height: 1, type: 0, rows: Buffer.alloc(2002) }))],
  ['a JPEG of CMYK', dataUrl(jpegHead(4), 'image/jpeg')],
  ['a JPEG without measures', dataUrl(jpegHead(3, 0xc3), 'image/jpeg')],
  ['a JPEG without pixels', dataUrl(jpegHead(3, 0xc0, 0), 'image/jpeg')],
  ['a JPEG without an end', dataUrl(jpegHead(3).subarray(0, -2), 'image/jpeg')],
  ['too long', dataUrl(Buffer.concat([jpegHead(3), Buffer.alloc(LOGO_BYTES_MAX)]), 'image/jpeg')],
])('a logo that is %s is refused', (_name, url) => {
  expect(logoOf(url)).toBeUndefined();
});

test('what is transparent becomes white, whatever filter its rows have', () => {
  const pixels = [
    [10, 20, 30, 255, 200, 100, 0, 0],
    [10, 20, 30, 51, 1, 2, 3, 255],
  ];
  const flat = [10, 20, 30, 255, 255, 255, 206, 208, 210, 1, 2, 3];
  for (const filter of [0, 1, 2, 3, 4]) {
    const rows = Buffer.concat(pixels.map((row, y) => filtered(filter, row, pixels[y - 1])));
    const image = logoImage(png({ width: 2, height: 2, type: 6, rows }));
    expect(Array.from(inflateSync(image?.data ?? Buffer.of()))).toEqual(flat);
  }
});

test('no bytes make it throw', () => {
  const sign = signPng(20, 10);
  const damaged = fc
    .tuple(fc.nat(sign.length - 1), fc.nat(255), fc.constantFrom(sign, jpegHead(3)))
    .map(([at, to, bytes]) => Buffer.from(bytes.map((byte, index) => (index === at ? to : byte))));
  const any = fc.oneof(
    damaged,
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  );
  fc.assert(fc.property(any, (bytes) => void logoImage(bytes)));
});

/** A row as the filter of its number writes it (PNG, 9.2), for pixels of four bytes. */
function filtered(filter: number, row: readonly number[], before?: readonly number[]): Buffer {
  const bytes = row.map((byte, x) => {
    const [a, b, c] = [row[x - 4] ?? 0, before?.[x] ?? 0, before?.[x - 4] ?? 0];
    const nearest = [a, b, c].toSorted(
      (one, other) => Math.abs(a + b - c - one) - Math.abs(a + b - c - other),
    )[0];
    return byte - ([0, a, b, (a + b) >> 1, nearest][filter] ?? 0);
  });
  return Buffer.from([filter, ...bytes]);
}
