// Fetches the newest Chromium that this machine can have, where it has none: customers' browsers
// renew themselves. Whatever goes wrong only means an older one, or that tests in a browser are
// skipped: this never fails a run.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { FETCHED, foundChromium } from './found-chromium.mjs';

/** Of Debian, which follows each release within days; text without a font has no size. */
const DEBIAN = ['chromium-headless-shell', 'fonts-liberation'];
const PACKAGE = '@sparticuz/chromium';
const VERSION = '153.0.0';
const TIMEOUT_MS = 180_000;

function run(program, args, env = {}) {
  const { status } = spawnSync(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: TIMEOUT_MS,
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${program} ${args[0]} failed`);
}

async function installOfDebian() {
  if (process.getuid?.() !== 0) throw new Error('only root installs packages');
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], env);
  run('apt-get', ['install', '-qq', '--no-install-recommends', ...DEBIAN], env);
}

async function fetchPackage() {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('no such package');
  mkdirSync(FETCHED, { recursive: true });
  const flags = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
  run('npm', ['install', ...flags, '--prefix', FETCHED, `${PACKAGE}@${VERSION}`]);
  // The package unpacks itself into the folder for temporary files, and, only where it takes the
  // machine for a cloud's, the libraries that a bare one lacks.
  process.env.TMPDIR = FETCHED;
  process.env.AWS_LAMBDA_JS_RUNTIME = `nodejs${process.versions.node.split('.')[0]}.x`;
  const module = path.join(FETCHED, 'node_modules', PACKAGE, 'build', 'index.js');
  const { default: chromium } = await import(pathToFileURL(module).href);
  await chromium.executablePath();
  // Its own list looks for the unpacked fonts elsewhere, and text without a font has no size.
  const fonts = path.join(FETCHED, 'fonts');
  writeFileSync(
    path.join(fonts, 'fonts.conf'),
    `<fontconfig><dir>${fonts}</dir><cachedir>${fonts}-cache</cachedir></fontconfig>`,
  );
}

for (const get of [installOfDebian, fetchPackage]) {
  if (foundChromium() !== undefined) break;
  try {
    await get();
  } catch (error) {
    process.stderr.write(`No Chromium by ${get.name}: ${error.message}.\n`);
  }
}
