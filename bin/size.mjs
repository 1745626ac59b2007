// npm run size: lines and files that are shipped, by capability and by library. A picture, no rule.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Folders of each capability; a library that none of them names is listed as `other`. */
const CAPABILITIES = {
  log: ['libs/event-log', 'libs/database', 'libs/embedded-postgres', 'libs/backup'],
  decision: ['libs/calendar', 'libs/rating', 'libs/account', 'libs/deciding', 'libs/charging-link'],
  projections: ['libs/projections'],
  invoices: ['libs/invoice-rules', 'libs/invoicing', 'libs/invoice-documents'],
  proof: ['libs/receipts', 'libs/reconciliation'],
  notifications: ['libs/deliveries'],
  data: ['libs/popularity'],
  interfaces: ['libs/rest', 'libs/web', 'libs/admin-backend', 'libs/portal-backend', 'apps/api'],
  pages: ['apps/portal'],
  client: ['libs/client'],
  'command line': ['apps/popindex'],
  processes: ['apps/accounting', 'apps/standalone', 'libs/service', 'libs/workers', 'bin'],
};
const CODE = /\.(ts|tsx|mjs|sql)$/;
const DATA = /\.(json|md|csv|txt)$/;
const NOT_SHIPPED = /\.(spec|suite)\.tsx?$|\/test-adapters\/|\/README\.md$|\/tsconfig[^/]*\.json$/;
const COLUMNS = ['files', 'lines', 'code', 'bytes', 'tests', 'data'];

function* filesBelow(folder) {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(name);
    else yield name;
  }
}

/** Lines of a text, and those that are neither blank nor part of a comment. */
function countLines(text) {
  const lines = text.split('\n').slice(0, text.endsWith('\n') ? -1 : undefined);
  let isInComment = false;
  const code = lines.filter((line) => {
    const bare = line.trim();
    const wasInComment = isInComment;
    if (!wasInComment && bare.startsWith('/*')) isInComment = true;
    if (isInComment && bare.endsWith('*/')) isInComment = false;
    const isComment = wasInComment || /^(\/\/|\/\*|--|\{\/\*.*\*\/\}$)/.test(bare);
    return bare !== '' && !isComment;
  });
  return { lines: lines.length, code: code.length };
}

const sums = new Map();
function add(name, given) {
  const sum = sums.get(name) ?? Object.fromEntries(COLUMNS.map((column) => [column, 0]));
  for (const [column, value] of Object.entries(given)) sum[column] += value;
  sums.set(name, sum);
}

const capabilityOf = new Map(
  Object.entries(CAPABILITIES).flatMap(([name, folders]) => folders.map((one) => [one, name])),
);
for (const name of ['apps', 'libs', 'bin'].flatMap((folder) => [...filesBelow(folder)])) {
  const folder = /^(bin|[^/]+\/[^/]+)/.exec(name)?.[0] ?? name;
  const rows = [`= ${capabilityOf.get(folder) ?? 'other'}`, folder, 'all'];
  const measure = () => countLines(readFileSync(path.join(root, name), 'utf8'));
  const isShipped = !NOT_SHIPPED.test(name);
  let given;
  if (CODE.test(name) && isShipped) {
    given = { files: 1, bytes: readFileSync(path.join(root, name)).length, ...measure() };
  } else if (CODE.test(name)) given = { tests: measure().lines };
  else if (DATA.test(name) && isShipped) given = { data: measure().lines };
  else continue;
  for (const row of rows) add(row, given);
}

const width = Math.max(...[...sums.keys()].map((name) => name.length));
const cell = (value) => value.toLocaleString('en-US').padStart(11);
console.log(`${''.padEnd(width)}${COLUMNS.map((name) => name.padStart(11)).join('')}`);
const order = (name) => (name === 'all' ? '~' : name.replace('= ', ' '));
for (const name of [...sums.keys()].sort((one, other) => (order(one) < order(other) ? -1 : 1))) {
  console.log(
    `${name.padEnd(width)}${COLUMNS.map((column) => cell(sums.get(name)[column])).join('')}`,
  );
}
