// Jest's global set-up runs before any transformer, and tests that start a Node process of their
// own need plain modules: some libraries are stripped of their types here, in a few milliseconds
// and without the check of a build.
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import swc from '@swc/core';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const target = path.join(root, 'dist', '.test-modules');

/** Several runs may write at the same time, and a reader must never see half a file. */
function write(file, content) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content);
  renameSync(draft, file);
}

function strip(file) {
  const { code } = swc.transformSync(readFileSync(file, 'utf8'), {
    filename: file,
    configFile: false,
    swcrc: false,
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
  });
  return code;
}

/** URL of a folder, ending in a slash, that holds each of these libraries as plain modules. */
export function strippedModules(libraries) {
  const imports = {};
  for (const library of libraries) {
    const source = path.join(root, 'libs', library, 'src');
    mkdirSync(path.join(target, library), { recursive: true });
    for (const name of readdirSync(source)) {
      if (!/(?<!\.spec|\.suite)\.ts$/.test(name)) continue;
      const file = path.join(target, library, name.replace(/\.ts$/, '.js'));
      write(file, strip(path.join(source, name)));
    }
    imports[`#${library}/*.js`] = `./${library}/*.js`;
  }
  write(path.join(target, 'package.json'), JSON.stringify({ type: 'module', imports }));
  return `${pathToFileURL(target).href}/`;
}
