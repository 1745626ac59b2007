// npm run pictures: the pictures of the documents, taken from the demo in light and dark colours.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { foundChromium } from '../test/browser/found-chromium.mjs';
import { fail, root, setUp } from './set-up.mjs';

const PORTAL = { overview: '/', usage: '/usage', prices: '/prices' };
const CONSOLE = { 'console-home': '/' };
const SIZE = { width: 1280, height: 800 };
const TOKEN = 'pictures-0123456789-abcdefghijklmnop';
const READY_MS = 300_000;

const executablePath = foundChromium();
if (executablePath === undefined) fail('There is no Chromium: set CHROMIUM_PATH.');
process.chdir(root);
await setUp();

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
const [api, accounting, portal] = [await freePort(), await freePort(), await freePort()];
const folder = mkdtempSync(path.join(tmpdir(), 'popindex-pictures-'));
const service = spawn(process.execPath, ['bin/start.mjs'], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    DATA_DIR: folder,
    API_PORT: String(api),
    ACCOUNTING_PORT: String(accounting),
    PORTAL_PORT: String(portal),
    ADMIN_TOKEN: TOKEN,
  },
});

async function admin(pathname, body) {
  const answer = await fetch(`http://127.0.0.1:${accounting}/admin/v1${pathname}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${pathname}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** The account of the demo, once all of its history is there. */
async function demoAccount() {
  for (const until = Date.now() + READY_MS; Date.now() < until;) {
    const ready = await fetch(`http://127.0.0.1:${accounting}/readyz`).catch(() => undefined);
    if (ready?.ok) {
      const { items } = await admin('/accounts');
      const { items: invoices } = await admin('/invoices');
      const demo = items.find(({ name }) => name === 'Demo account');
      if (demo !== undefined && invoices.length > 0) return demo.id;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('The demo did not become ready.');
}

async function take(browser, colorScheme, signIn, base, pages) {
  const context = await browser.newContext({
    viewport: SIZE,
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  const page = await context.newPage();
  await signIn(page);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  for (const [name, pathname] of Object.entries(pages)) {
    await page.goto(`${base}${pathname}`, { waitUntil: 'networkidle' });
    await page.locator('[aria-label="Loading"]').first().waitFor({ state: 'detached' });
    const file = colorScheme === 'dark' ? `${name}-dark.png` : `${name}.png`;
    await page.screenshot({ path: path.join(root, 'docs', 'pictures', file) });
  }
  await context.close();
}

try {
  const id = await demoAccount();
  const portalUrl = `http://127.0.0.1:${portal}`;
  const consoleUrl = `http://127.0.0.1:${accounting}/console`;
  for (const colorScheme of ['light', 'dark']) {
    const { url } = await admin(`/accounts/${id}/portal-sessions`, { role: 'manager' });
    await take(browser, colorScheme, (page) => page.goto(url), portalUrl, PORTAL);
    const signIn = async (page) => {
      await page.goto(`${consoleUrl}/`);
      await page.getByRole('textbox', { name: 'Admin token' }).fill(TOKEN);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    await take(browser, colorScheme, signIn, consoleUrl, CONSOLE);
  }
} finally {
  await browser.close();
  service.kill();
  await once(service, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
