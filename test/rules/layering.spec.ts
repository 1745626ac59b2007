import path from 'node:path';
import { importsOf, isShipped, isTypeScript, projectFiles } from './project-files.js';

/** From the innermost outwards: each knows those before it, and no other of our libraries. */
const PURE = ['calendar', 'rating', 'account', 'invoice-rules', 'reconciliation'];
const IMPURE_PACKAGE = /^(node:|@nestjs\/|typeorm(\/|$)|pg($|-|\/)|rxjs|fastify|pino)/;

const files = projectFiles().filter(isTypeScript);
const shipped = files.filter(isShipped);

function isIn(folder: string, name: string): boolean {
  return name.startsWith(`${folder}/`);
}

/** `file imports target` for every import of these files that breaks the rule. */
function breaches(
  among: typeof files,
  isBroken: (file: string, target: string) => boolean,
): string[] {
  return among.flatMap((file) =>
    importsOf(file)
      .filter((target) => isBroken(file.name, target))
      .map((target) => `${file.name} imports ${target}`),
  );
}

test('the rules look at real imports', () => {
  const imports = shipped.flatMap(importsOf);
  expect(imports).toContain('luxon');
  expect(imports.some((target) => target.startsWith('libs/calendar/src/'))).toBe(true);
  const sample = {
    name: 'libs/a/src/b.ts',
    text: `import type { X } from '#c/d.js';\nexport * from "../e.js";\nimport 'f';\nawait import('g');`,
  };
  expect(importsOf(sample)).toEqual(['libs/c/src/d.js', 'libs/a/e.js', 'f', 'g']);
});

test('no library imports an app', () => {
  expect(breaches(files, (file, target) => isIn('libs', file) && isIn('apps', target))).toEqual([]);
});

test('apps do not import each other; the standalone one holds the api and the accounting', () => {
  const appOf = (name: string) => /^apps\/([^/]+)\//.exec(name)?.[1];
  const isBroken = (file: string, target: string) => {
    const [from, to] = [appOf(file), appOf(target)];
    if (from === undefined || to === undefined || from === to) return false;
    return !(from === 'standalone' && (to === 'api' || to === 'accounting'));
  };
  expect(breaches(files, isBroken)).toEqual([]);
});

test.each(PURE)('the pure library %s takes time, ids and hashes as arguments', (library) => {
  const own = shipped.filter(({ name }) => isIn(`libs/${library}`, name));
  expect(breaches(own, (_file, target) => IMPURE_PACKAGE.test(target))).toEqual([]);
});

test.each(PURE)('the pure library %s knows only those inside of it', (library) => {
  const inner = PURE.slice(0, PURE.indexOf(library) + 1).map((name) => `libs/${name}`);
  const own = shipped.filter(({ name }) => isIn(`libs/${library}`, name));
  const isBroken = (_file: string, target: string) =>
    isIn('libs', target) && !inner.some((folder) => isIn(folder, target));
  expect(breaches(own, isBroken)).toEqual([]);
});

test.each(PURE)('the pure library %s reads no clock, chance or environment', (library) => {
  const impure = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.|\bperformance\.now\(/;
  const own = shipped.filter(({ name }) => isIn(`libs/${library}`, name));
  expect(own.filter(({ text }) => impure.test(text)).map(({ name }) => name)).toEqual([]);
});

/** Paths of the popularity index. Everything else of rating is of any product. */
const OF_INDEX = /^libs\/rating\/src\/(resource|resource-path|match-members|path-\w+)\.js$/;

test.each(['account', 'deciding', 'projections', 'charging-link'])(
  '%s charges names of any product: it knows no path, level or region of the popularity index',
  (library) => {
    const own = shipped.filter(({ name }) => isIn(`libs/${library}/src`, name));
    expect(own.length).toBeGreaterThan(10);
    expect(breaches(own, (_file, target) => OF_INDEX.test(target))).toEqual([]);
    const words = /'(cat[1-5]|popindex|top5|trends|us|gb|fr|kr|jp)'|\blevel\b\s*:/;
    expect(own.filter(({ text }) => words.test(text)).map(({ name }) => name)).toEqual([]);
  },
);

test('the client runs in browsers: it imports itself alone, and nothing of Node', () => {
  const own = shipped.filter(({ name }) => isIn('libs/client/src', name));
  expect(own.length).toBeGreaterThan(5);
  expect(breaches(own, (_file, target) => !isIn('libs/client/src', target))).toEqual([]);
  const ofNode = own.filter(({ text }) =>
    /\b(process|Buffer|require|setImmediate)\b[.(]/.test(text),
  );
  expect(ofNode.map(({ name }) => name)).toEqual([]);
});

test('pages take nothing from the REST: types follow from its documents', () => {
  const pages = projectFiles().filter(({ name }) => isIn('apps/portal/web', name));
  const importing = (from: string) => pages.filter(({ text }) => text.includes(` from '${from}`));
  expect(importing('#dist/pages/').length).toBeGreaterThan(2);
  expect(importing('#rest/').map(({ name }) => name)).toEqual([]);
});

test('luxon lives in the calendar only', () => {
  const isBroken = (file: string, target: string) =>
    target === 'luxon' && !isIn('libs/calendar', file);
  expect(breaches(files, isBroken)).toEqual([]);
});

test('shipped code imports no test', () => {
  const isTest = (target: string) => /\.(spec|suite)\.js$/.test(target) || isIn('test', target);
  expect(breaches(shipped, (_file, target) => isTest(target))).toEqual([]);
});

/** Groups of places that import each other, also for types; `placeOf` undefined: no place. */
function circles(placeOf: (name: string) => string | undefined): string[][] {
  const imports = new Map<string, Set<string>>();
  for (const file of shipped) {
    const from = placeOf(file.name);
    if (from === undefined) continue;
    const known = imports.get(from) ?? new Set();
    for (const to of importsOf(file).map(placeOf)) if (to !== undefined) known.add(to);
    imports.set(from, known);
  }
  const reached = (start: string): Set<string> => {
    const found = new Set<string>();
    const next = [start];
    for (let place = next.pop(); place !== undefined; place = next.pop()) {
      for (const to of imports.get(place) ?? []) {
        if (to === place || found.has(to)) continue;
        found.add(to);
        next.push(to);
      }
    }
    return found;
  };
  const reach = new Map([...imports.keys()].map((place) => [place, reached(place)]));
  const inCircles = [...reach].filter(([place, found]) => found.has(place));
  const groups = inCircles.map(([place, found]) =>
    [...found].filter((other) => reach.get(other)?.has(place)).toSorted(),
  );
  return [...new Map(groups.map((group) => [group.join(' '), group])).values()];
}

/** A folder with its content, `depth` names from the top; a file higher up is its own place. */
function folderOf(name: string, depth: number): string | undefined {
  if (!/^(libs|apps)\//.test(name)) return undefined;
  return path.posix.dirname(name).split('/').slice(0, depth).join('/');
}

test.each([
  ['libraries and apps', 2],
  ['folders of a library or app', 4],
  ['folders in a folder', 5],
  ['folders two levels below', 6],
] as const)('%s import each other in no circle', (_what, depth) => {
  expect(circles((name) => folderOf(name, depth))).toEqual([]);
});

test('files import each other in no circle, also for types', () => {
  const fileOf = (name: string): string | undefined =>
    /^(libs|apps)\//.test(name) ? name.replace(/\.tsx?$/, '.js') : undefined;
  expect(circles(fileOf)).toEqual([]);
});
