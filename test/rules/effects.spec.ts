import ts from 'typescript';
import { projectFiles } from './project-files.js';

/** Hooks that call what their function returns, when they end: of React, Mantine, and our own. */
const EFFECT = /^use\w*(?:Effect|EffectOnce|DidUpdate|Mount)$/;
const REF = /(?:^r|R)ef$/;

/** The functions of a file whose result React calls as a clean-up. */
function cleanedUp(text: string): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && EFFECT.test(calledName(node))) {
      found.push(node.arguments[0] ?? node);
    }
    if (ts.isJsxAttribute(node) && REF.test(node.name.getText())) {
      const value = node.initializer && ts.isJsxExpression(node.initializer);
      const expression = value ? node.initializer.expression : undefined;
      if (expression !== undefined && isFunction(expression)) found.push(expression);
    }
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile('a.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return found;
}

function calledName({ expression }: ts.CallExpression): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
}

function isFunction(node: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

/** Those that return more than was meant, once a method of the browser returns a promise. */
function withoutBlock(text: string): string[] {
  return cleanedUp(text)
    .filter((node) => !isFunction(node) || !ts.isBlock(node.body))
    .map((node) => node.getText());
}

test('effects and refs are functions with a block: React calls what they return', () => {
  const pages = projectFiles().filter(({ name }) => /^apps\/portal\/web\/.*\.tsx?$/.test(name));
  const all = pages.flatMap(({ text }) => cleanedUp(text));
  expect(all.length).toBeGreaterThan(20);
  const broken = pages.map(({ name, text }) => [name, withoutBlock(text)] as const);
  expect(broken.filter(([, effects]) => effects.length > 0)).toEqual([]);
});

test.each([
  'useEffect(() => list.current?.scrollTo({ top: 0 }), [order]);',
  'React.useLayoutEffect(() => void list.focus());',
  'useInsertionEffect(async () => list.focus());',
  'useIsomorphicLayoutEffect(scrollUp, []);',
  'useDidUpdate(() => list.scrollIntoView(), [order]);',
  'const page = <div ref={(list) => list?.scrollTo(0, 0)} />;',
  'const page = <ScrollArea viewportRef={(list) => (scroller = list)} />;',
])('and this is refused: %s', (text) => {
  expect(withoutBlock(text)).toHaveLength(1);
});

test.each([
  'useEffect(() => { list.current?.scrollTo({ top: 0 }); }, [order]);',
  'useLayoutEffect(() => { return follow(list); }, [list]);',
  'const page = <div ref={list} />;',
  'const page = <div ref={(list) => { scroller = list; }} />;',
])('and this is not: %s', (text) => {
  expect(withoutBlock(text)).toEqual([]);
});
