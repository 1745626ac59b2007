// Lets Node run the sources as they are: types are stripped, and `#library/file.js` and `./file.js`
// lead to the TypeScript files that they are built from.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import swc from '@swc/core';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const LIBRARY = /^#([a-z-]+)\/(.+)\.js$/;

function sourceOf(specifier, parentUrl) {
  const library = LIBRARY.exec(specifier);
  if (library !== null) return path.join(root, 'libs', library[1], 'src', `${library[2]}.ts`);
  if (!/^\.{1,2}\/.*\.js$/.test(specifier) || parentUrl === undefined) return undefined;
  const file = fileURLToPath(new URL(specifier, parentUrl)).replace(/\.js$/, '.ts');
  return existsSync(file) ? file : undefined;
}

export async function resolve(specifier, context, next) {
  const source = sourceOf(specifier, context.parentURL);
  if (source === undefined) return next(specifier, context);
  return { url: pathToFileURL(source).href, format: 'module', shortCircuit: true };
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = swc.transformSync(readFileSync(filename, 'utf8'), {
    filename,
    configFile: false,
    swcrc: false,
    sourceMaps: 'inline',
    jsc: { target: 'es2023', parser: { syntax: 'typescript', decorators: true } },
  });
  return { format: 'module', source: code, shortCircuit: true };
}
