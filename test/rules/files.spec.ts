import path from 'node:path';
import { EXCEPTIONS, type Exception } from './exceptions.js';
import { projectFiles } from './project-files.js';

const LINES_MAX = 300;
/** A noun of the account is one file: its events, commands, effects and decisions. */
const NOUN_LINES_MAX = 400;

const files = projectFiles();
const code = files.filter(({ name }) => /\.(ts|tsx|mjs|cjs|js)$/.test(name));

/** Files that break a rule, but for the listed exceptions; and exceptions that nobody needs. */
function findings(rule: Exception['rule'], broken: readonly string[]): string[] {
  const allowed = EXCEPTIONS.filter((exception) => exception.rule === rule);
  const isAllowed = (name: string) => allowed.some(({ file }) => file === name);
  const stale = allowed.filter(({ file }) => !broken.includes(file));
  return [
    ...broken.filter((name) => !isAllowed(name)),
    ...stale.map(({ file }) => `${file} needs no exception any more`),
  ];
}

function linesOf(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

test('there are files to look at', () => {
  expect(code.length).toBeGreaterThan(50);
});

test(`no file of code is longer than ${LINES_MAX} lines, one of accounts than ${NOUN_LINES_MAX}`, () => {
  const mostOf = (name: string) =>
    name.startsWith('libs/account/src/') ? NOUN_LINES_MAX : LINES_MAX;
  const long = code.filter(({ name, text }) => linesOf(text) > mostOf(name));
  expect(
    findings(
      'file-length',
      long.map(({ name }) => name),
    ),
  ).toEqual([]);
});

test('an export has a name: no default exports', () => {
  const broken = code.filter(({ text }) => /^\s*export default\b|\bas default\b/m.test(text));
  expect(
    findings(
      'default-export',
      broken.map(({ name }) => name),
    ),
  ).toEqual([]);
});

test('files and folders are called by what they hold', () => {
  const empty = /^(utils?|helpers?|common|shared|misc|index)$/;
  const isEmpty = (part: string) => empty.test(part.split('.')[0] ?? '');
  const broken = code.filter(({ name }) => name.split('/').some(isEmpty));
  expect(broken.map(({ name }) => name)).toEqual([]);
});

test('names are in kebab-case', () => {
  const isKebab = (name: string) => /^[a-z0-9]+([.-][a-z0-9]+)*$/.test(name);
  const broken = code.filter(({ name }) => !isKebab(path.posix.basename(name)));
  expect(broken.map(({ name }) => name)).toEqual([]);
});

test('every library and app opens with a page that says what it is', () => {
  const parts = new Set(files.flatMap(({ name }) => /^(?:apps|libs)\/[^/]+/.exec(name) ?? []));
  const names = new Set(files.map(({ name }) => name));
  expect([...parts].filter((part) => !names.has(`${part}/README.md`))).toEqual([]);
});

/** Put together here, so that the rule does not find itself. */
const FOREIGN: Readonly<Record<string, RegExp>> = {
  'a folder outside of the project': new RegExp(['\\.\\.', 'shared'].join('/')),
  'the host of a package registry': new RegExp(
    ['registry\\.(npmjs|yarnpkg)', 'npmjs\\.org', 'proxy\\.golang', 'pypi\\.org'].join('|'),
  ),
  'a path of one machine': /(?<![\w.>/-])\/(work|root|home\/\w+|Users\/\w+)\/[\w.-]/,
};

test.each(Object.keys(FOREIGN))('no file mentions %s', (what) => {
  const pattern = FOREIGN[what] ?? /$^/;
  const found = files.filter(({ text }) => pattern.test(text)).map(({ name }) => name);
  const allowed = EXCEPTIONS.filter(({ rule }) => rule === 'committed-text');
  expect(found.filter((name) => !allowed.some(({ file }) => file === name))).toEqual([]);
});
