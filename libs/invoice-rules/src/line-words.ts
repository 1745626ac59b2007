import type { InvoiceLine, Language } from './invoice.js';
import WORDS from './line-words.json' with { type: 'json' };

/** Words of lines beside names of rules, in each language. English is what lines are made with. */
export const LINE_WORDS: Readonly<Record<Language, typeof WORDS.en>> = WORDS;

/** A line with its description in a language. Names of rules and reasons stay as they are. */
export function lineIn<Line extends InvoiceLine>(line: Line, language: Language): Line {
  return { ...line, description: descriptionIn(line, language) };
}

function descriptionIn(line: InvoiceLine, language: Language): string {
  const words = LINE_WORDS[language];
  if (line.type === 'usage') return usageText(line.rule, words[line.kind]);
  if (line.type === 'adjustment') return `${words.adjustment}${line.reason}`;
  const found = Object.values(LINE_WORDS)
    .flatMap((known) => Object.entries(known))
    .find(([, text]) => text === line.description);
  return found === undefined ? line.description : words[found[0] as keyof typeof words];
}

/** The name of a usage line: a rule, and whether its calls were the first ones. */
export function usageText(rule: string, kind: string): string {
  return `${rule.slice(0, 1).toUpperCase()}${rule.slice(1)}, ${kind}`;
}
