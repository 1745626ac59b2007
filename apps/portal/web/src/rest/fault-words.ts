import { formatNumber } from '../format/credits.js';

/** Sentences for faults for which schemas have no words of their own. */
const WORDS: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [/^This is missing: a number\b/, () => 'Enter a number'],
  [/^This is missing\b/, () => 'Fill this in'],
  [/^Invalid input: expected int\b/, () => 'Enter a whole number'],
  [/^Invalid input: expected number\b/, () => 'Enter a number'],
  [/^Invalid input: expected \w+, received (?:null|undefined)/, () => 'Fill this in'],
  [/^Invalid option: expected one of (.*)/, ([, names = '']) => `Choose one of ${words(names)}`],
  [/^Invalid input: expected "/, () => 'Choose one'],
  [/^This must not be (?:empty|blank)/, () => 'Fill this in'],
  [/^There must be at least 1\b/, () => 'Choose at least one'],
  [
    /^This must be (at least|at most|more than|less than) (-?\d+)/,
    ([, bound, limit = '']) => `It is ${bound} ${formatNumber(Number(limit))}`,
  ],
  [
    /^This must have (at least|at most) (\d+) characters/,
    ([, bound, limit = '']) => `It has ${bound} ${formatNumber(Number(limit))} characters`,
  ],
  [
    /^There must be (at least|at most) (\d+)/,
    ([, bound, limit = '']) => `There are ${bound} ${formatNumber(Number(limit))}`,
  ],
  [/^Invalid (?:email|e-mail)/, () => 'An e-mail address like billing@example.com'],
  [/^Invalid UUID/, () => 'An id like 0197c000-0000-7000-8000-000000000000'],
  [/^Invalid ISO date(?:time)?\b/, () => 'Enter a date'],
  [/^Invalid URL/, () => 'An address like https://example.com/hooks'],
];

/** `"a"|"b"` → `a, b` */
function words(names: string): string {
  return names.replaceAll('"', '').replaceAll('|', ', ').replace(/\.$/, '');
}

/** A schema's fault in words for a person; a fault that is a sentence already stays as it is. */
export function inWords(detail: string): string {
  for (const [pattern, say] of WORDS) {
    const found = pattern.exec(detail);
    if (found !== null) return `${say(found)}.`;
  }
  return detail;
}
