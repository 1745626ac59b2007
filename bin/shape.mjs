// node bin/shape.mjs: how large the project is and how its folders depend on each other, as text.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './set-up.mjs';

/** Names of files that say something about a route: how it is asked for, shown, described, allowed. */
const REST =
  /(\.(controller|handler|body|command|query|operations?|schemas?|module)|-(routes?|paths|schemas|answers|view|fields))\.ts$|\/openapi\/|\/http\//;
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'";]*?from\s*['"]([^'"]+)['"]|\bimport\(?\s*['"]([^'"]+)['"]/g;

const tracked = execFileSync('git', ['ls-files', 'apps', 'libs'], { cwd: root, encoding: 'utf8' });
const files = tracked
  .split('\n')
  .filter((name) => name.endsWith('.ts') && !/\.(spec|suite)\.ts$|^apps\/portal\//.test(name))
  .filter((name) => existsSync(path.join(root, name)))
  .map((name) => ({ name, text: readFileSync(path.join(root, name), 'utf8') }));

const linesOf = (some) => some.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);

function importsOf({ name, text }) {
  return [...text.matchAll(IMPORT)].flatMap((match) => {
    const specifier = match[1] ?? match[2];
    const library = /^#([^/]+)\/(.*)$/.exec(specifier);
    if (library !== null) return [`libs/${library[1]}/src/${library[2]}`];
    return specifier.startsWith('.') ? [path.posix.join(path.posix.dirname(name), specifier)] : [];
  });
}

/** Groups of places that reach each other by imports (Tarjan's strongly connected components). */
function circles(placeOf) {
  const graph = new Map();
  for (const file of files) {
    const from = placeOf(file.name);
    const to = graph.get(from) ?? new Set();
    graph.set(from, to);
    for (const target of importsOf(file)) if (placeOf(target) !== from) to.add(placeOf(target));
  }
  const index = new Map();
  const low = new Map();
  const stack = [];
  const found = [];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== index.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) found.push(group.toSorted((a, b) => a.localeCompare(b)));
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found;
}

const roomOf = (name) => name.split('/').slice(0, 2).join('/');
const folderOf = (name) => path.posix.dirname(name);
const rest = files.filter(({ name }) => REST.test(name));
const routes = files.flatMap(({ text }) => [
  ...text.matchAll(/^ {2}@(Get|Post|Put|Patch|Delete)\(/gm),
]).length;

function show(name, value) {
  process.stdout.write(`${name.padEnd(36)}${value}\n`);
}

function showCircles(name, placeOf) {
  const found = circles(placeOf);
  show(name, found.length);
  for (const group of found) show('', group.join(', '));
}

show('shipped lines', linesOf(files));
show('shipped files', files.length);
show('lines of REST', linesOf(rest));
show('files of REST', rest.length);
show('routes', routes);
show('lines of REST for each route', (linesOf(rest) / routes).toFixed(1));
showCircles('circles of libraries and apps', roomOf);
showCircles('circles of folders', folderOf);
