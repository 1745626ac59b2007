// npm run release-documents: the OpenAPI documents of this release, which later ones are compared
// with.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, setUp } from './set-up.mjs';

const FOLDER = path.join(root, 'docs', 'openapi');
const BASE_URL = 'https://data.example.com';

async function built(name) {
  return import(pathToFileURL(path.join(root, 'dist', name)).href);
}

/** The same value with its members sorted by name, so that releases differ only in changes. */
function sorted(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)]);
  return Object.fromEntries(members.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

await setUp();
await import('reflect-metadata');
const { adminDocument } = await built('libs/admin-backend/src/admin-document.js');
const { portalDocument } = await built('libs/portal-backend/src/portal-document.js');
const { apiDocument } = await built('apps/api/src/openapi/api-document.js');
const { sharedComponents } = await built('libs/web/src/shared-components.js');
const documents = { admin: adminDocument, portal: portalDocument, api: apiDocument };
mkdirSync(FOLDER, { recursive: true });
for (const [name, documentOf] of Object.entries(documents)) {
  const text = JSON.stringify(sorted(sharedComponents(documentOf(BASE_URL))), null, 2);
  writeFileSync(path.join(FOLDER, `${name}.json`), `${text}\n`);
  console.log(`docs/openapi/${name}.json is written.`);
}
