// npm run release-documents: the interfaces of this release as texts, which later ones are compared
// with, and the page of settings.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, setUp } from './set-up.mjs';

const FOLDER = path.join(root, 'docs', 'interfaces');
const TEXTS = path.join(root, 'dist', 'test', 'openapi', 'interface-documents.js');

const SETTINGS = path.join(root, 'dist', 'libs', 'web', 'src', 'settings-page.js');

await setUp();
await import('reflect-metadata');
const { interfaceTexts } = await import(pathToFileURL(TEXTS).href);
mkdirSync(FOLDER, { recursive: true });
for (const [name, text] of Object.entries(interfaceTexts())) {
  writeFileSync(path.join(FOLDER, `${name}.txt`), text);
  console.log(`docs/interfaces/${name}.txt is written.`);
}
const { settingsPage } = await import(pathToFileURL(SETTINGS).href);
writeFileSync(path.join(root, 'docs', 'settings.md'), settingsPage());
console.log('docs/settings.md is written.');
