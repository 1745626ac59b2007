// Lets Node run the sources as they are: types are stripped, and `./file.js` leads to the
// TypeScript file that it is built from. For `#library/file.js` package.json does so.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import swc from '@swc/core';

function sourceOf(specifier, parentUrl) {
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
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true },
      experimental: { keepImportAttributes: true },
    },
  });
  return { format: 'module', source: code, shortCircuit: true };
}
