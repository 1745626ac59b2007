import { formatNumber } from '../format/credits.js';

/** Sentences for faults for which schemas have no words of their own. */
const WORDS: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [
    /^This (?:is missing:|must be) (one of .*|a number|a whole number)\.$/,
    ([, wanted = '']) => `${wanted.startsWith('one') ? 'Choose' : 'Enter'} ${wanted}`,
  ],
  [/^This is missing\b/, () => 'Fill this in'],
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
];

/** A schema's fault in words for a person; a fault that is a sentence already stays as it is. */
export function inWords(detail: string): string {
  for (const [pattern, say] of WORDS) {
    const found = pattern.exec(detail);
    if (found !== null) return `${say(found)}.`;
  }
  return detail;
}
