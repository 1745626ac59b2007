import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { PortalStage } from '../../../test/setup/portal-stage.js';

const SCRIPT = 'console.log(1);'.repeat(200);
const HTML = '<script src="/assets/app-1a2b.js"></script>';

let folder: string;
let stage: PortalStage;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'popindex-web-'));
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), HTML);
  writeFileSync(path.join(folder, 'favicon.svg'), '<svg/>');
  writeFileSync(path.join(folder, 'assets', 'app-1a2b.js'), SCRIPT);
  writeFileSync(path.join(folder, 'assets', 'app-1a2b.js.map'), '{}');
  stage = await PortalStage.open({ webFolder: folder });
});
afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
});

function get(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  return stage.app.inject({ method, url, headers });
}

describe('the pages of the portal', () => {
  it.each(['/', '/calls', '/dashboard/categories/1?related=formats&country=us', '/no-such-page'])(
    'are one page, which finds out what %s is',
    async (url) => {
      const { statusCode, headers, body } = await get(url);
      expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers['cache-control']).toBe('no-store');
      expect(body).toBe(HTML);
    },
  );

  it('run nothing and load nothing but what is served here, and are shown in no frame', async () => {
    const { headers } = await get('/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it.each([
    '/portal/v1/no-such',
    '/portal',
    '/calls.html',
    '/assets/gone.js',
    '/assets/app-1a2b.js.map',
    '/..%2f..%2fetc/passwd',
    '/../package.json',
    '/console/',
    '//evil.example',
    '/usage//evil.example',
    '//',
    '/problems/no-such',
  ])('are not what is at %s', async (url) => {
    const { statusCode, headers } = await get(url);
    expect([400, 404]).toContain(statusCode);
    expect(headers['content-type']).toContain('application/problem+json');
  });

  it('take no other method', async () => {
    const { statusCode, headers } = await stage.app.inject({ method: 'POST', url: '/calls' });
    expect([statusCode, headers['allow']]).toEqual([405, 'GET, HEAD']);
  });

  it('leave the rest of the server as it was', async () => {
    for (const url of ['/healthz', '/readyz', '/openapi.json', '/docs', '/problems']) {
      expect([url, (await get(url)).statusCode]).toEqual([url, 200]);
    }
  });
});

describe('a file of the front end', () => {
  const ASSET = '/assets/app-1a2b.js';

  it('is kept for ever where its name depends on its content, and for minutes elsewhere', async () => {
    const asset = await get(ASSET);
    expect([asset.body, asset.headers['content-type']]).toEqual([
      SCRIPT,
      'text/javascript; charset=utf-8',
    ]);
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await get('/favicon.svg')).headers['cache-control']).toBe('public, max-age=300');
  });

  it('is compressed as the browser takes it', async () => {
    const gzip = await get(ASSET, { 'accept-encoding': 'gzip' });
    const brotli = await get(ASSET, { 'accept-encoding': 'gzip, br' });
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(SCRIPT);
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(SCRIPT);
    expect([gzip, brotli].map(({ headers }) => headers['content-encoding'])).toEqual([
      'gzip',
      'br',
    ]);
  });

  it('is not sent again to who has it', async () => {
    const { headers } = await get(ASSET);
    const again = await get(ASSET, { 'if-none-match': String(headers['etag']) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('has the same headers for a HEAD, and no body', async () => {
    const { statusCode, headers, body } = await get(ASSET, {}, 'HEAD');
    expect([statusCode, headers['content-length'], body]).toEqual([200, `${SCRIPT.length}`, '']);
  });
});
