import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expandedDocument } from '../../../../test/setup/expanded-document.js';
import type { Operation } from '#web/openapi-document.js';
import { ask } from '../../test-adapters/seen.js';
import { BASE_URL, createTestApi, type TestApi } from '../../test-adapters/test-api.js';
import { recordExamples } from '../../test-adapters/record-examples.js';
import { apiDocument } from './api-document.js';

const METERED_FILE = path.join(__dirname, 'metered-examples.json');
const NAMED_FILE = path.resolve('libs/rest/src/operation/examples.json');
const read = (file: string): object => JSON.parse(readFileSync(file, 'utf8')) as object;

/** An entry a line: `npm run format` then breaks those that are long. */
function write(file: string, examples: object): void {
  const entries = Object.entries(examples).map((entry) =>
    entry.map((part) => JSON.stringify(part)),
  );
  writeFileSync(file, `{\n${entries.map((entry) => entry.join(': ')).join(',\n')}\n}\n`);
}

const document = apiDocument(BASE_URL);
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]): [string, Operation] => [
    `${method} ${path}`,
    operation,
  ]),
);

describe('the OpenAPI document', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await createTestApi({ reads: true });
  });
  afterAll(() => api.close());

  it('shows examples that are real answers (RECORD_EXAMPLES=yes writes them down)', async () => {
    const { metered, named } = await recordExamples(api);
    if (process.env['RECORD_EXAMPLES'] === 'yes') {
      write(METERED_FILE, metered);
      write(NAMED_FILE, { ...read(NAMED_FILE), ...named });
    }
    expect(metered).toEqual(read(METERED_FILE));
    expect(read(NAMED_FILE)).toMatchObject(named);
  });

  it('names every operation once', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('declares each parameter of a path, and no other', () => {
    for (const [name, { parameters = [] }] of operations) {
      const declared = parameters.filter((one) => one.in === 'path').map((one) => one.name);
      const used = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter ?? '');
      expect([name, declared.toSorted()]).toEqual([name, used.toSorted()]);
    }
  });

  it('refers only to schemas that are there', () => {
    const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
    const names = new Set([...references].map(([, name]) => name));
    expect([...names].filter((name) => !(name && name in document.components.schemas))).toEqual([]);
    expect(names.size).toBeGreaterThan(30);
  });

  it('is served as it is, and as a page without a foreign address or a script', async () => {
    const json = await ask(api, { url: '/openapi.json' });
    const served = expandedDocument(json.json());
    expect(served.paths).toEqual(JSON.parse(JSON.stringify(document.paths)));
    const page = await ask(api, { url: '/docs' });
    expect(page.header('content-security-policy')).toContain("default-src 'none'");
    for (const [name, { operationId }] of operations) {
      expect([name, page.body.includes(`id="${operationId}"`)]).toEqual([name, true]);
    }
    expect(page.body).not.toMatch(/<script|<link|<img|@import|url\(/);
  });
});
