// What every command needs before it can run: the locked dependencies and a build of the sources.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runStep } from './run-step.mjs';
import { withSetupLock } from './setup-lock.mjs';
import { INSTALLED, isFresh, PORTAL_BUILD, SERVICE_BUILD } from './stamps.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const NODE_MIN = [20, 19];

/** Ends the process with one line; 2 is for what was typed wrongly. */
export function fail(line, exitCode = 1) {
  process.stderr.write(`${line}\n`);
  process.exit(exitCode);
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
  const installed = packagesOf(INSTALLED);
  return Object.entries(wanted).every(([name, { version, integrity, optional, peer }]) => {
    if (name === '') return true;
    const found = installed[name];
    if (found === undefined) return Boolean(optional || peer);
    return found.version === version && found.integrity === integrity;
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

/** How far an installation is: a package that is there whole has its manifest. */
function countInstalled() {
  const names = Object.keys(packagesOf('package-lock.json')).filter((name) => name !== '');
  return () => {
    const there = names.filter((name) => existsSync(path.join(root, name, 'package.json')));
    return `${there.length} of about ${names.length} packages`;
  };
}

async function install(interruption) {
  // npm removes the old packages first. Ended in the middle of that, it would leave this file.
  rmSync(path.join(root, INSTALLED), { force: true });
  const npm = process.env.npm_execpath;
  const [command, args] =
    npm && /\.c?js$/.test(npm)
      ? [process.execPath, [npm, ...NPM_ARGUMENTS]]
      : ['npm', NPM_ARGUMENTS];
  await runStep('Installing the locked dependencies', command, args, {
    interruption,
    countDone: countInstalled(),
    shell: command === 'npm' && process.platform === 'win32',
  });
}

function build(interruption) {
  const script = path.join('bin', 'build-service.mjs');
  return runStep('Building', process.execPath, [script], { interruption });
}

function buildPortal(interruption) {
  const script = path.join('bin', 'build-portal.mjs');
  return runStep('Building the portal', process.execPath, [script], { interruption });
}

/** Installs and builds what is missing or stale; nearly free when nothing is. */
export async function setUp() {
  requireNode();
  if (isInstalled() && isFresh(SERVICE_BUILD) && isFresh(PORTAL_BUILD)) return;
  const wait = () =>
    process.stderr.write('Waiting for another start that is installing or building …\n');
  try {
    await withSetupLock(path.join(root, 'dist', '.setup-lock'), wait, async (interruption) => {
      if (!isInstalled()) await install(interruption);
      if (!isFresh(SERVICE_BUILD)) await build(interruption);
      if (!isFresh(PORTAL_BUILD)) await buildPortal(interruption);
    });
  } catch (error) {
    fail(error.message);
  }
}
