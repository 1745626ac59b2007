import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WebFiles } from './web-files.js';

const HTML = '<meta content="./" /><script src="./assets/app-1a2b.js"></script>';
const HSTS = 'max-age=31536000';

let folder: string;
let server: Server;

async function get(basePath: string, target: string): Promise<Response> {
  const files = new WebFiles(folder, () => true, basePath);
  server = createServer((request, response) =>
    files.handle(request, response, request.url ?? '/', ['Strict-Transport-Security', HSTS]),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${target}`);
}

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'popindex-files-'));
  writeFileSync(path.join(folder, 'index.html'), HTML);
  writeFileSync(path.join(folder, 'favicon.svg'), '<svg/>');
});
afterEach(() => void server.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(['/', '/calls', '/favicon.svg'])('%s has the headers of all answers', async (target) => {
  const { status, headers } = await get('', target);
  expect([status, headers.get('strict-transport-security')]).toEqual([200, HSTS]);
});

test.each([
  ['', '<meta content="/" /><script src="/assets/app-1a2b.js"></script>'],
  ['/my/portal', HTML.replaceAll('"./', '"/my/portal/')],
])('behind the base path "%s" the page finds its files there', async (basePath, page) => {
  expect(await (await get(basePath, '/invoices/7')).text()).toBe(page);
});
