import ts from 'typescript';
import { isShipped, projectFiles } from './project-files.js';

/** A text of the program, which may be a statement of SQL. */
export interface Statement {
  readonly file: string;
  readonly text: string;
  /** Function (`query…`) that it is given to; undefined: it is a part of others. */
  readonly sentBy: string | undefined;
}

/** Each text of SQL with what is put into it. */
function statementsOf(name: string, text: string): Statement[] {
  const found: Statement[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateExpression(node) || ts.isStringLiteralLike(node)) {
      found.push({ file: name, text: node.getText(), sentBy: senderOf(node) });
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  return found;
}

function senderOf(node: ts.Node): string | undefined {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    if (!ts.isCallExpression(at)) continue;
    const name = /\w+$/.exec(at.expression.getText())?.[0] ?? '';
    if (name.startsWith('query')) return name;
  }
  return undefined;
}

/** Those of all programs, but for migrations and pages. */
export function shippedStatements(): Statement[] {
  return projectFiles()
    .filter((file) => isShipped(file) && file.name.endsWith('.ts'))
    .filter(({ name }) => !name.includes('/migrations/') && !name.includes('/web/'))
    .flatMap(({ name, text }) => statementsOf(name, text));
}
