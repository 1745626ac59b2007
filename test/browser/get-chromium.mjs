// Fetches a Chromium from the package registry where the machine has none. Whatever goes wrong only
// means that tests in a browser are skipped: this never fails a run.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { FETCHED, foundChromium } from './found-chromium.mjs';

const PACKAGE = '@sparticuz/chromium';
const VERSION = '143.0.4';
const TIMEOUT_MS = 180_000;

async function fetchChromium() {
  mkdirSync(FETCHED, { recursive: true });
  const flags = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
  const { status } = spawnSync(
    'npm',
    ['install', ...flags, '--prefix', FETCHED, `${PACKAGE}@${VERSION}`],
    { stdio: ['ignore', 'ignore', 'inherit'], timeout: TIMEOUT_MS },
  );
  if (status !== 0) throw new Error('the package could not be installed');
  // The package unpacks itself into the folder for temporary files, and, only where it takes the
  // machine for a cloud's, the libraries that a bare one lacks.
  process.env.TMPDIR = FETCHED;
  process.env.AWS_LAMBDA_JS_RUNTIME = `nodejs${process.versions.node.split('.')[0]}.x`;
  const module = path.join(FETCHED, 'node_modules', PACKAGE, 'build', 'esm', 'index.js');
  const { default: chromium } = await import(pathToFileURL(module).href);
  await chromium.executablePath();
  // Its own list looks for the unpacked fonts elsewhere, and text without a font has no size.
  const fonts = path.join(FETCHED, 'fonts');
  writeFileSync(
    path.join(fonts, 'fonts.conf'),
    `<fontconfig><dir>${fonts}</dir><cachedir>${fonts}-cache</cachedir></fontconfig>`,
  );
}

if (foundChromium() === undefined) {
  try {
    if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('no such package');
    await fetchChromium();
  } catch (error) {
    process.stderr.write(`No Chromium was fetched: ${error.message}.\n`);
  }
}
