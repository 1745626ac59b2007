import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const file = path.resolve(__dirname, '../../package-lock.json');
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> };

/** Where Node looks for a package from inside of another, innermost first. */
function isLocked(from: string, name: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, folder.lastIndexOf('node_modules/'))) {
    const prefix = folder === '' || folder.endsWith('/') ? folder : `${folder}/`;
    if (packages[`${prefix}node_modules/${name}`]?.version !== undefined) return true;
    if (folder === '') return false;
  }
}

test('packages of other platforms are locked too: without them a clean install refuses', () => {
  const missing = Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(from, name))
      .map((name) => `${name} of ${from || 'the project'}`),
  );
  expect(missing).toEqual([]);
});

test('no package is tied to one server', () => {
  const tied = Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined);
  expect(tied.map(([name]) => name)).toEqual([]);
});
