import { zipPieces, type ZipEntry } from './zip-pieces.js';
import { unzipped } from './zip-reader.suite.js';

const entry = (name: string, text: string): ZipEntry => {
  return { name, body: Buffer.from(text), date: '2026-11-01' };
};

async function wholeOf(entries: AsyncIterable<ZipEntry>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of zipPieces(entries)) pieces.push(piece);
  return Buffer.concat(pieces);
}

test('an archive holds what was given, and is the same whenever it is made', async () => {
  async function* entries() {
    yield entry('invoices/INV-000001.pdf', '%PDF');
    yield entry('manifest.json', '{}'.repeat(1_000));
    yield entry('empty', '');
  }
  const zip = await wholeOf(entries());
  expect([...unzipped(zip)].map(([name, body]) => [name, body.toString()])).toEqual([
    ['invoices/INV-000001.pdf', '%PDF'],
    ['manifest.json', '{}'.repeat(1_000)],
    ['empty', ''],
  ]);
  expect(await wholeOf(entries())).toEqual(zip);
});

test('an archive of nothing is whole', async () => {
  async function* nothing(): AsyncGenerator<ZipEntry> {}
  expect(unzipped(await wholeOf(nothing())).size).toBe(0);
});

test('a file that cannot be had breaks the archive off', async () => {
  async function* entries() {
    yield entry('first', 'text');
    throw new Error('The database went away.');
  }
  await expect(wholeOf(entries())).rejects.toThrow('The database went away.');
});

test('nothing more is asked for once nobody reads, and not much before', async () => {
  let asked = 0;
  let hasEnded = false;
  async function* entries() {
    try {
      for (;;) {
        asked += 1;
        yield entry(`${asked}.pdf`, 'x'.repeat(64 * 1_024));
      }
    } finally {
      hasEnded = true;
    }
  }
  for await (const piece of zipPieces(entries())) {
    if (piece.length > 0) break;
  }
  expect(hasEnded).toBe(true);
  expect(asked).toBeLessThan(10);
});
