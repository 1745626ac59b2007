// Jest loads the global set-up before any transformer, and a build would be a long wait for it:
// the one library it needs is stripped of its types here. It imports nothing but node: and itself.
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import swc from '@swc/core';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const source = path.join(root, 'libs/embedded-postgres/src');
const target = path.join(root, 'dist/test/embedded-postgres');

function strip(name) {
  const { code } = swc.transformSync(readFileSync(path.join(source, name), 'utf8'), {
    filename: name,
    configFile: false,
    swcrc: false,
    jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
  });
  const file = path.join(target, name.replace(/\.ts$/, '.js'));
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, code);
  renameSync(draft, file);
}

/** URL of libs/embedded-postgres as a folder of plain modules, ending in a slash. */
export function embeddedPostgresModules() {
  mkdirSync(target, { recursive: true });
  const names = readdirSync(source).filter((name) => /(?<!\.spec|\.suite)\.ts$/.test(name));
  for (const name of names) strip(name);
  return `${pathToFileURL(target).href}/`;
}
