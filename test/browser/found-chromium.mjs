// Which Chromium the tests in a browser use: the one that is named, installed, or was fetched.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];
const OF_MACOS = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Where `get-chromium.mjs` leaves one. */
export const FETCHED = path.join(root, 'dist', '.chromium');

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Path of its program; undefined: there is none, and tests in a browser are skipped. */
export function foundChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named) return named;
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const installed = folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
  return [...installed, OF_MACOS, path.join(FETCHED, 'chromium')].find(isExecutable);
}
