// What every command needs before it can run: the locked dependencies and a build of the sources.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPortalBuilt } from './build-portal.mjs';
import { withSetupLock } from './setup-lock.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const NODE_MIN = [20, 19];
const SOURCE_FOLDERS = ['apps', 'libs', 'bench', 'test/openapi'];
/** Built on its own, by another tool. */
const PORTAL_FOLDER = 'apps/portal/web';
const SOURCE_FILES = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'bin/build-service.mjs',
];
const STAMP = path.join(root, 'dist', '.build-stamp');

/** Ends the process with one line; 2 is for what was typed wrongly. */
export function fail(line, exitCode = 1) {
  process.stderr.write(`${line}\n`);
  process.exit(exitCode);
}

function progress(line) {
  process.stderr.write(`${line}\n`);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])) return;
  fail(
    `This program needs Node.js ${NODE_MIN.join('.')} or newer; this is ${process.versions.node}.`,
  );
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), 'utf8')).packages;
  } catch {
    return {};
  }
}

/** npm writes the hidden lock file last, so it lists what was installed completely. */
function isInstalled() {
  const wanted = packagesOf('package-lock.json');
  const installed = packagesOf('node_modules/.package-lock.json');
  return Object.entries(wanted).every(([name, { version, integrity, optional, peer }]) => {
    if (name === '') return true;
    const found = installed[name];
    if (found === undefined) return Boolean(optional || peer);
    return found.version === version && found.integrity === integrity;
  });
}

function sourcesBelow(folder, found) {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = `${folder}/${entry.name}`;
    if (name === PORTAL_FOLDER) continue;
    if (entry.isDirectory()) sourcesBelow(name, found);
    else if (/(?<!\.spec|\.suite)\.ts$|\.json$/.test(name)) found.push(name);
  }
}

/** Changes with every change of a source file, by time and size. */
function fingerprint() {
  const files = [...SOURCE_FILES];
  for (const folder of SOURCE_FOLDERS) {
    if (existsSync(path.join(root, folder))) sourcesBelow(folder, files);
  }
  const hash = createHash('sha256').update(process.versions.node);
  for (const file of files.sort()) {
    const { mtimeMs, size } = statSync(path.join(root, file));
    hash.update(`${file}\0${mtimeMs}\0${size}\n`);
  }
  return hash.digest('hex');
}

function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint();
}

const SHOWN_LINES_MAX = 40;

/** Runs quietly; what it printed is shown when it fails. */
function run(what, command, args, options = {}) {
  const started = Date.now();
  progress(`${what} …`);
  return new Promise((resolve) => {
    const output = [];
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options,
    });
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    const endChild = () => child.kill();
    process.once('exit', endChild);
    child.once('error', (error) => fail(`${what} failed: ${error.message}`));
    child.once('close', (code) => {
      process.removeListener('exit', endChild);
      if (code !== 0) {
        const lines = Buffer.concat(output).toString('utf8').trimEnd().split('\n');
        process.stderr.write(`${lines.slice(0, SHOWN_LINES_MAX).join('\n')}\n`);
        fail(`${what} failed.`);
      }
      progress(`${what}: done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
      resolve();
    });
  });
}

/** Development packages are needed to build, whatever NODE_ENV says. */
const NPM_ARGUMENTS = [
  'ci',
  '--include=dev',
  '--include=optional',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

function install() {
  const what = 'Installing the locked dependencies';
  const npm = process.env.npm_execpath;
  if (npm && /\.c?js$/.test(npm)) return run(what, process.execPath, [npm, ...NPM_ARGUMENTS]);
  return run(what, 'npm', NPM_ARGUMENTS, { shell: process.platform === 'win32' });
}

async function build() {
  const stamp = fingerprint();
  await run('Building', process.execPath, [path.join('bin', 'build-service.mjs')]);
  writeFileSync(STAMP, stamp);
}

function buildPortal() {
  return run('Building the portal', process.execPath, [path.join('bin', 'build-portal.mjs')]);
}

/** Installs and builds what is missing or stale; nearly free when nothing is. */
export async function setUp() {
  requireNode();
  if (isInstalled() && isBuilt() && isPortalBuilt()) return;
  const wait = () => progress('Waiting for another start that is installing or building …');
  await withSetupLock(path.join(root, 'dist', '.setup-lock'), wait, async () => {
    if (!isInstalled()) await install();
    if (!isBuilt()) await build();
    if (!isPortalBuilt()) await buildPortal();
  });
}
