// The sources of each build, and the stamp by which a later start knows that none has changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** npm writes it last, so that it changes with all that was installed. */
export const INSTALLED = 'node_modules/.package-lock.json';
const FILES = ['package.json', 'package-lock.json', INSTALLED, 'tsconfig.json'];
const PORTAL_FOLDER = 'apps/portal/web';

export const SERVICE_BUILD = {
  stamp: path.join(root, 'dist', '.build-stamp'),
  output: path.join(root, 'dist', 'apps', 'standalone', 'src', 'main.js'),
  folders: ['apps', 'libs', 'bench', 'test/openapi'],
  files: [...FILES, 'bin/build-service.mjs'],
  isSource: (name) =>
    !name.startsWith(`${PORTAL_FOLDER}/`) && /(?<!\.spec|\.suite)\.ts$|\.json$/.test(name),
};

export const PORTAL_BUILD = {
  stamp: path.join(root, 'dist', '.portal-stamp'),
  output: path.join(root, 'dist', 'portal', 'index.html'),
  // Browsers run parts of the libraries, too.
  folders: [PORTAL_FOLDER, 'libs'],
  files: [...FILES, 'bin/build-portal.mjs'],
  isSource: (name) => !name.endsWith('.spec.ts'),
};

function* filesBelow(folder) {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(name);
    else yield name;
  }
}

/** Changes with every change of what goes into a build, by time and size. */
function fingerprint({ folders, files, isSource }) {
  const present = folders.filter((folder) => existsSync(path.join(root, folder)));
  const sources = present.flatMap((folder) => [...filesBelow(folder)].filter(isSource));
  const hash = createHash('sha256');
  for (const file of [...sources, ...files].sort((a, b) => (a < b ? -1 : 1))) {
    const { mtimeMs = 0, size = 0 } =
      statSync(path.join(root, file), { throwIfNoEntry: false }) ?? {};
    hash.update(`${file}\0${mtimeMs}\0${size}\n`);
  }
  return hash.digest('hex');
}

/** True where the build is there, and was made of what is there now. */
export function isFresh(build) {
  if (!existsSync(build.stamp) || !existsSync(build.output)) return false;
  return readFileSync(build.stamp, 'utf8') === fingerprint(build);
}

/** Makes a build, and its stamp of the sources as they were when it began. */
export async function stamped(build, make) {
  const stamp = fingerprint(build);
  rmSync(build.stamp, { force: true });
  await make();
  mkdirSync(path.dirname(build.stamp), { recursive: true });
  writeFileSync(build.stamp, stamp);
}
