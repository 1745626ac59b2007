import { TABLES_BY_LANE } from '#database/cluster/tables-by-lane.js';
import { projectFiles } from './project-files.js';
import { shippedStatements, type Statement } from './statements.js';

const BY_LANE = TABLES_BY_LANE.join('|');

const NAMED = new RegExp(
  `\\b(?:from|join|update|using)\\s+(${BY_LANE})\\b(?!\\s*\\()(?:\\s+(?:as\\s+)?(?!(?:where|on|using|join|left|cross|set|order|group|limit|union|for|full)\\b)([a-z_]+))?`,
  'g',
);
/** A cluster runs these only for the lanes of one group, or asks every shard for one lane. */
const OF_ONE_GROUP =
  /\bunnest\s*\(\$|json(?:_populate_recordset|_to_recordset)\b|\blateral\b|\bfor update\b|generate_series/;

/** Statements that a cluster runs as they are, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'libs/deciding/src/decision-part.ts': 'It runs on a plain PostgreSQL only.',
  'libs/event-log/src/projection-positions.ts': 'The array holds names; all lanes are counted.',
  'libs/event-log/src/projection-state.ts': 'The array holds names; all lanes are counted.',
};

/** Statements that a cluster sends to every shard, and why they may. */
const OF_ALL_SHARDS: Readonly<Record<string, string>> = {
  'apps/accounting/src/metrics/accounting-metrics.ts': 'A metric counts open months of all.',
  'libs/backup/src/emptiness.ts': 'A log is empty if all its lanes are.',
  'libs/backup/src/read-state.ts': 'A backup begins with the ends of all lanes.',
  'libs/deciding/src/decision-part.ts': 'It runs on a plain PostgreSQL only.',
  'libs/deliveries/src/delivery-reads.ts':
    'Deliveries lie beside the coordinator; their events anywhere.',
  'libs/event-log/src/projection-positions.ts': 'The lag is that of all lanes.',
  'libs/event-log/src/projection-state.ts': 'The lag is that of all lanes.',
  'libs/event-log/src/shadow-tables.ts': 'A rebuild changes the checkpoints of all lanes at once.',
  'libs/invoicing/src/to-do-reads.ts': 'Months of all accounts are counted and looked for.',
  'libs/projections/src/invoices/closed-months.ts': 'How far all lanes have come.',
  'libs/projections/src/invoices/held-invoices.ts':
    'Held invoices are few, and known by their id alone.',
  'libs/projections/src/loading/postgres-key-directory.ts':
    'The lane stands in a part of the statement.',
  'libs/projections/src/reads/account-today.ts': 'Test clocks of all accounts.',
  'libs/projections/src/reads/dispute-reads.ts': 'The list is that of disputes of all accounts.',
  'libs/invoicing/src/bank/matched-invoices.ts': 'Open invoices of all accounts.',
  'libs/projections/src/reads/invoice-lists.ts':
    'The lists are those of documents of all accounts.',
  'libs/projections/src/verify/verify-lane.ts': 'Whether a projection stands in any lane.',
  'libs/projections/src/whole-log/places.ts': 'The ends of all lanes.',
  'libs/rest/src/exports/account-books.ts': 'Exports go through all accounts.',
  'libs/rest/src/periods/unissued.ts': 'The oldest of all accounts.',
  'libs/rest/src/rate-cards/preview-stretches.ts': 'The ends of all lanes.',
  'libs/rest/src/search/search.ts': 'What is searched for may be of any account.',
  'libs/rest/src/summary/money-sums.ts': 'Sums over all documents.',
  'libs/rest/src/whole-log/whole-log.ts': 'The id of an API key does not name its account.',
};

/** Whether the rows of a table are asked for by lanes that stand in the statement. */
function isByLane(text: string, table: string, alias: string): boolean {
  const value = String.raw`(?:= ?(?:any ?\()?(?:\$|'|\d))`;
  const own = new RegExp(`\\b${alias}\\.lane ${value}`);
  const bare = new RegExp(`(?<![.\\w])lane ${value}`);
  return own.test(text) || (alias === table && bare.test(text));
}

/** Parts of statements, which another file sends so. */
const PARTS = [
  'libs/projections/src/projections/ledger.projection.ts',
  'libs/rest/src/audit/audit-statement.ts',
];
/** Functions that send a statement to each group of lanes, about those lanes alone. */
const KEEPING = /\bquery(?:ByLane|AllLanes|Answering\w*)\b/;
const texts = new Map(projectFiles().map(({ name, text }) => [name, text]));

/** Whether a function sends it that keeps it to the lanes of each group. */
function isKept({ file, sentBy }: Statement): boolean {
  return PARTS.includes(file) || KEEPING.test(sentBy ?? texts.get(file) ?? '');
}

function tablesOf(text: string): { readonly table: string; readonly alias: string }[] {
  return [...text.matchAll(NAMED)].map(([, table = '', alias = table]) => ({ table, alias }));
}

test('a statement that a cluster runs in one place is kept to lanes, or names those of each table', () => {
  const statements = shippedStatements().filter(({ text }) => OF_ONE_GROUP.test(text));
  const others = statements.filter((statement) => !isKept(statement));
  const broken = others.flatMap(({ file, text }) =>
    tablesOf(text)
      .filter(({ table, alias }) => !isByLane(text, table, alias))
      .map((named) => ({ file, ...named })),
  );
  expect(statements.length).toBeGreaterThan(40);
  expect(broken.filter(({ file }) => EXCEPTIONS[file] === undefined)).toEqual([]);
  const needed = new Set(broken.map(({ file }) => file));
  expect([...needed].toSorted()).toEqual(Object.keys(EXCEPTIONS));
});

test('a statement that names no lanes, which a cluster sends to every shard, has a reason', () => {
  const everywhere = shippedStatements().filter((statement) => {
    const { text } = statement;
    const tables = tablesOf(text);
    const isStatement = tables.length > 0 && /\b(?:select|update|delete)\b/.test(text);
    return (
      isStatement &&
      !isKept(statement) &&
      !tables.some(({ table, alias }) => isByLane(text, table, alias))
    );
  });
  const files = [...new Set(everywhere.map(({ file }) => file))].toSorted();
  expect(files).toEqual(Object.keys(OF_ALL_SHARDS).toSorted());
});
