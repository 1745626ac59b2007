import { readFileSync } from 'node:fs';
import path from 'node:path';
import { adminDocument } from '#admin-backend/admin-document.js';
import { portalDocument } from '#portal-backend/portal-document.js';
import { apiDocument } from '../../apps/api/src/openapi/api-document.js';
import type { OpenApiDocument } from '#web/openapi-document.js';
import { sharedComponents } from '#web/shared-components.js';
import { documentBreaks } from './document-breaks.js';

const FOLDER = path.resolve(__dirname, '../../docs/openapi');
const BASE_URL = 'https://data.example.com';

test.each([
  ['admin', adminDocument],
  ['portal', portalDocument],
  ['api', apiDocument],
] as const)('the document of %s breaks no client of the last release', (name, documentOf) => {
  const text = readFileSync(path.join(FOLDER, `${name}.json`), 'utf8');
  const present = JSON.stringify(sharedComponents(documentOf(BASE_URL)));
  const [before, after] = [text, present].map((one) => JSON.parse(one) as OpenApiDocument);
  if (before === undefined || after === undefined) throw new Error('There are two documents.');
  expect(Object.keys(before.paths).length).toBeGreaterThan(20);
  expect(documentBreaks(before, after)).toEqual([]);
});
