import ts from 'typescript';
import { isShipped, projectFiles } from './project-files.js';

/** Tables that a cluster spreads by lane. */
const BY_LANE =
  'lane|event|batch|checkpoint|damaged_account|ledger_account|ledger_opened|ledger_snapshot|' +
  'window_usage|usage_reached|day_usage|notification|delivery_cursor|audit_entry|dispute|' +
  'invoice_purchase|document_due|held_invoice|invoice_fact|invoice_month|invoice|credit_note';
const NAMED = new RegExp(
  `\\b(?:from|join|update|using)\\s+(${BY_LANE})\\b(?!\\s*\\()(?:\\s+(?:as\\s+)?(?!(?:where|on|using|join|left|cross|set|order|group|limit|union|for|full)\\b)([a-z_]+))?`,
  'g',
);
/** A cluster runs these only for the lanes of one group, or asks every shard for one lane. */
const OF_ONE_GROUP =
  /\bunnest\s*\(\$|json(?:_populate_recordset|_to_recordset)\b|\blateral\b|\bfor update\b|generate_series/;

/** Statements that a cluster runs as they are, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'libs/event-log/src/projection-positions.ts': 'The array holds names; all lanes are counted.',
  'libs/event-log/src/projection-state.ts': 'The array holds names; all lanes are counted.',
};

interface Statement {
  readonly file: string;
  readonly text: string;
}

/** Each text of SQL with what is put into it. */
function statementsOf(name: string, text: string): Statement[] {
  const found: Statement[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateExpression(node) || ts.isStringLiteralLike(node)) {
      found.push({ file: name, text: node.getText() });
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  return found;
}

/** Whether the rows of a table are asked for by lanes that stand in the statement. */
function isByLane(text: string, table: string, alias: string): boolean {
  const value = String.raw`(?:= ?(?:any ?\()?(?:\$|'|\d))`;
  const own = new RegExp(`\\b${alias}\\.lane ${value}`);
  const bare = new RegExp(`(?<![.\\w])lane ${value}`);
  return (
    text.includes(`inGroup('${alias}')`) || own.test(text) || (alias === table && bare.test(text))
  );
}

test('a statement that a cluster runs in one place names the lanes of each table', () => {
  const statements = projectFiles()
    .filter((file) => isShipped(file) && file.name.endsWith('.ts'))
    .filter(({ name }) => !name.includes('/migrations/') && !name.includes('/web/'))
    .flatMap(({ name, text }) => statementsOf(name, text))
    .filter(({ text }) => OF_ONE_GROUP.test(text));
  const broken = statements.flatMap(({ file, text }) =>
    [...text.matchAll(NAMED)]
      .filter(([, table = '', alias = table]) => !isByLane(text, table, alias))
      .map(([, table = '', alias = table]) => ({ file, table, alias })),
  );
  expect(statements.length).toBeGreaterThan(40);
  expect(broken.filter(({ file }) => EXCEPTIONS[file] === undefined)).toEqual([]);
  const needed = new Set(broken.map(({ file }) => file));
  expect([...needed].toSorted()).toEqual(Object.keys(EXCEPTIONS));
});
