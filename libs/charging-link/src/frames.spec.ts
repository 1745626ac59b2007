import fc from 'fast-check';
import { encodeFrame, FrameDecoder, FrameError } from './frames.js';

const MAX = 10_000;

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    if (at >= bytes.length) break;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return at < bytes.length ? [...chunks, bytes.subarray(at)] : chunks;
}

function withLength(length: number, payload: Buffer): Buffer {
  const frame = Buffer.alloc(4 + payload.length);
  frame.writeUInt32BE(length, 0);
  payload.copy(frame, 4);
  return frame;
}

test('whatever is encoded is decoded in order, wherever the chunks were cut', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }));
  fc.assert(
    fc.property(fc.array(fc.json()), sizes, (texts, cuts) => {
      const bytes = Buffer.concat(texts.map((text) => encodeFrame(text)));
      const decoder = new FrameDecoder(MAX);
      const decoded = cut(bytes, cuts).flatMap((chunk) => decoder.push(chunk));
      expect(decoded).toEqual(texts.map((text) => JSON.parse(text) as unknown));
    }),
  );
});

test('a text of any script is decoded although its characters were cut apart', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const decoder = new FrameDecoder(MAX);
      const bytes = encodeFrame(JSON.stringify(text));
      const decoded = [...bytes].flatMap((byte) => decoder.push(Buffer.from([byte])));
      expect(decoded).toEqual([text]);
    }),
  );
});

test('a frame is given out with its last byte and not before', () => {
  const decoder = new FrameDecoder(MAX);
  const bytes = encodeFrame('[1]');
  expect(decoder.push(bytes.subarray(0, bytes.length - 1))).toEqual([]);
  expect(decoder.push(bytes.subarray(bytes.length - 1))).toEqual([[1]]);
});

test('a frame of exactly the largest size is taken', () => {
  const decoder = new FrameDecoder(12);
  expect(decoder.push(encodeFrame('"1234567890"'))).toEqual(['1234567890']);
});

test('a frame that is too long is refused by its length alone, before it arrives', () => {
  const decoder = new FrameDecoder(12);
  const bytes = encodeFrame('"12345678901"');
  expect(() => decoder.push(bytes.subarray(0, 4))).toThrow(FrameError);
});

test.each([
  ['an empty frame', withLength(0, Buffer.alloc(0))],
  ['a length of 4 GiB', withLength(0xffff_ffff, Buffer.alloc(0))],
  ['a request of another protocol', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['text that is not JSON', withLength(4, Buffer.from('oops'))],
  ['two values', withLength(3, Buffer.from('1 2'))],
  ['half a value', withLength(4, Buffer.from('[1,2'))],
  ['bytes that are not UTF-8', withLength(4, Buffer.from([0x22, 0xc3, 0x28, 0x22]))],
  ['half a character', withLength(3, Buffer.from([0x22, 0xc3, 0x22]))],
])('%s is refused', (_name, bytes) => {
  expect(() => new FrameDecoder(MAX).push(bytes)).toThrow(FrameError);
});

test('arbitrary bytes are frames or refused, and never anything else', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        expect(Array.isArray(new FrameDecoder(MAX).push(Buffer.from(bytes)))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(FrameError);
      }
    }),
  );
});
