import { projectFiles } from './project-files.js';

/** Mannered words, in no text that anybody reads; the trade has plain ones. */
const MANNERED =
  /\b(tell|tells|told|telling|anew|befalls?|befell|befallen|whence|hence|thereof|therein|upon|lest|whomever|mend(?:s|ed|ing)?)\b/i;
/** Alerts of a budget's period stand as `told` in stored states: code of these files names it so. */
const STORED = /\btold\b(?=[,:.[} ])/g;
const OF_STATES = /\/(budgets|budget-limits|state|delivery-mail\.spec|planted-bugs)\.ts$/;
const WIDTH = 100;

const TEXT = /\.(ts|tsx|mjs|cjs|md|css|html|json|yml|conf)$/;
/** Written by a program, or of another one. */
const FOREIGN = /^(package-lock\.json|docs\/torture-report\.md|docs\/openapi\/|test\/rules\/words)/;
const texts = projectFiles().filter(({ name }) => TEXT.test(name) && !FOREIGN.test(name));

/** `file:line: text` for each line that breaks a rule. */
function lines(among: typeof texts, isBroken: (line: string, name: string) => boolean): string[] {
  return among.flatMap(({ name, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        isBroken(line, name) ? [`${name}:${index + 1}: ${line.trim()}`] : [],
      ),
  );
}

test('texts use the words of the trade', () => {
  expect(texts.length).toBeGreaterThan(1_000);
  const read = (line: string, name: string) =>
    OF_STATES.test(name) ? line.replace(STORED, '') : line;
  expect(lines(texts, (line, name) => MANNERED.test(read(line, name)))).toEqual([]);
});

const code = texts.filter(({ name }) => /\.(ts|tsx|mjs|cjs)$/.test(name));

test('a docstring begins with what the thing is or does', () => {
  const opening = /\/\*\*\s+(?:\* )?What\b[^\n]*/g;
  const found = code.flatMap(({ name, text }) =>
    (text.match(opening) ?? []).map((line) => `${name}: ${line}`),
  );
  expect(found).toEqual([]);
});

test(`comments stay within ${WIDTH} columns, as the code does by Prettier`, () => {
  const isWide = (line: string) => line.length > WIDTH && /^\s*(\/\/|\/?\*)/.test(line);
  expect(lines(code, isWide)).toEqual([]);
});

test('a conflict says what would be right, behind a colon or as what is possible at most', () => {
  const refusals = /\b(?:conflict\(|problem\(\s*'conflict',)\s*(?:'([^'\n]+)'|`([^`\n]+)`)/g;
  const details = code
    // What is billed is decided by a worker, which has nobody to read its refusals.
    .filter(({ name }) => !/\.(spec|suite)\.ts$|\/account\/src\/billing\.ts$/.test(name))
    .flatMap(({ name, text }) =>
      [...text.matchAll(refusals)].map(([, plain, made]) => `${name}: ${plain ?? made}`),
    );
  expect(details.length).toBeGreaterThan(20);
  const isOpen = (detail: string) => !/: .+: |; |\bat most\b|\bfrom\b.+\bon\b/i.test(detail);
  expect(details.filter(isOpen)).toEqual([]);
});
