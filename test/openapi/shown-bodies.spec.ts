import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { adminDocument } from '#admin-backend/admin-document.js';
import type { Operation } from '#web/openapi-document.js';
import { sharedComponents } from '#web/shared-components.js';

const ROOT = path.resolve(__dirname, '../..');
const GENERATOR = path.join(ROOT, 'node_modules/openapi-typescript/bin/cli.js');
const COMPILER = path.join(ROOT, 'node_modules/typescript/bin/tsc');
const PAGES = ['docs/tutorial.md', 'docs/recipes.md'];
/** A request of a page: options of curl, the path below the prefix, a body without variables. */
const REQUEST =
  /^\w*=?\$?\(?admin (?:-i )?(?:-X (\w+) )?"?\$ADMIN(\/[^\s"?]+)[^\n]*? -d '([^']*)'(?=[\s)])/gm;

/** Two programs start, on a machine that may run other tests. */
const TIMEOUT_MS = 120_000;

const document = adminDocument('https://api.example.com');

interface Shown {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** The requests with a body that the pages show, at the paths of the document. */
function shownRequests(): readonly Shown[] {
  const text = PAGES.map((page) => readFileSync(path.join(ROOT, page), 'utf8')).join('\n');
  return [...text.matchAll(REQUEST)].map(([, method = 'post', at = '', body = '']) => {
    const url = `/admin/v1${at}`;
    const found = Object.entries(document.paths).find(([each, item]) => {
      const pattern = each.replaceAll(/\{\w+\}/g, '[^/]+');
      const own = (item as Readonly<Record<string, Operation>>)[method.toLowerCase()];
      return own !== undefined && new RegExp(`^${pattern}$`).test(url);
    });
    if (found === undefined) throw new Error(`The document has no ${method} ${url}.`);
    return { method: method.toLowerCase(), path: found[0], body };
  });
}

function compile(folder: string, requests: readonly Shown[]): void {
  const types = path.join(folder, 'admin.json');
  writeFileSync(types, JSON.stringify(sharedComponents(document)));
  execFileSync(process.execPath, [GENERATOR, types, '-o', path.join(folder, 'admin.d.ts')], {
    stdio: 'pipe',
  });
  const lines = requests.map(({ method, path: at, body }, index) => {
    const type = `NonNullable<paths['${at}']['${method}']['requestBody']>['content']`;
    return `export const body${index}: ${type}['application/json'] = ${body};`;
  });
  const program = ["import type { paths } from './admin.js';", ...lines].join('\n');
  writeFileSync(path.join(folder, 'bodies.ts'), program);
  const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', types: [] };
  const config = JSON.stringify({ compilerOptions, files: ['bodies.ts'] });
  writeFileSync(path.join(folder, 'tsconfig.json'), config);
  execFileSync(process.execPath, [COMPILER, '-p', folder], { stdio: 'pipe', encoding: 'utf8' });
}

test(
  'the bodies of tutorial and recipes compile with types that are generated from the document',
  () => {
    const requests = shownRequests();
    expect(requests.length).toBeGreaterThan(15);
    const folder = mkdtempSync(path.join(tmpdir(), 'shown-bodies-'));
    try {
      compile(folder, requests);
    } catch (error) {
      throw new Error(String((error as { stdout?: unknown }).stdout ?? error), { cause: error });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  TIMEOUT_MS,
);
