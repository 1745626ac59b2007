import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { StaticDocument } from './static-document.js';

const TEXT = 'The same for everybody. '.repeat(500);
const page = new StaticDocument(TEXT, { 'content-type': 'text/html', 'cache-control': 'no-cache' });

it('a document is compressed once for each coding, and answered as the client takes it', async () => {
  const gzip = await page.answer({ 'accept-encoding': 'gzip' });
  const brotli = await page.answer({ 'accept-encoding': 'gzip, br' });
  const plain = await page.answer({});
  expect(
    [gunzipSync(gzip.body), brotliDecompressSync(brotli.body), plain.body].map(String),
  ).toEqual([TEXT, TEXT, TEXT]);
  expect([gzip, brotli, plain].map(({ headers }) => headers['content-encoding'])).toEqual([
    'gzip',
    'br',
    undefined,
  ]);
  expect(gzip.headers).toMatchObject({
    'cache-control': 'no-cache',
    'content-length': String(gzip.body.length),
    vary: 'Accept-Encoding',
  });
  const again = await page.answer({ 'accept-encoding': 'br' });
  expect(again.body).toBe(brotli.body);
});

it('who has it gets 304, and another text has another tag', async () => {
  const { headers } = await page.answer({});
  const etag = headers['etag'] ?? '';
  const known = await page.answer({ 'if-none-match': etag, 'accept-encoding': 'br' });
  expect([known.status, known.body.length, known.headers['etag']]).toEqual([304, 0, etag]);
  const other = new StaticDocument(`${TEXT}!`, { 'content-type': 'text/html' });
  expect((await other.answer({ 'if-none-match': etag })).status).toBe(200);
});

it('pictures are sent as they are', async () => {
  const picture = new StaticDocument(Buffer.alloc(5_000), { 'content-type': 'image/png' });
  const { headers, body } = await picture.answer({ 'accept-encoding': 'gzip, br' });
  expect([headers['content-encoding'], body.length]).toEqual([undefined, 5_000]);
});
