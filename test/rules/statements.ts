import ts from 'typescript';
import { isShipped, projectFiles } from './project-files.js';

/** A text of the program, which may be a statement of SQL. */
export interface Statement {
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

/** Those of all programs, but for migrations and pages. */
export function shippedStatements(): Statement[] {
  return projectFiles()
    .filter((file) => isShipped(file) && file.name.endsWith('.ts'))
    .filter(({ name }) => !name.includes('/migrations/') && !name.includes('/web/'))
    .flatMap(({ name, text }) => statementsOf(name, text));
}
