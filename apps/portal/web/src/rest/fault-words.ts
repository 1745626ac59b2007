import { formatNumber } from '../format/credits.js';

/** What schemas say by themselves, where nobody has written a sentence for them. */
const WORDS: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [/^Invalid input: expected int\b/, () => 'Enter a whole number'],
  [/^Invalid input: expected number\b/, () => 'Enter a number'],
  [/^Invalid input: expected \w+, received (?:null|undefined)/, () => 'Fill this in'],
  [/^Invalid option: expected one of (.*)/, ([, names = '']) => `Choose one of ${words(names)}`],
  [/^Invalid input: expected "/, () => 'Choose one'],
  [/^Too small: expected string/, () => 'Fill this in'],
  [/^Too small: expected array to have >=1 /, () => 'Choose at least one'],
  [
    /^Too small: expected \w+ to be (>=?)(-?\d+)/,
    ([, more, least = '']) =>
      `It is ${more === '>' ? 'more than' : 'at least'} ${formatNumber(Number(least))}`,
  ],
  [
    /^Too big: expected \w+ to be <=(-?\d+)/,
    ([, most = '']) => `It is at most ${formatNumber(Number(most))}`,
  ],
  [
    /^Too big: expected string to have <=(\d+) /,
    ([, most = '']) => `It has at most ${formatNumber(Number(most))} characters`,
  ],
  [
    /^Too big: expected array to have <=(\d+) /,
    ([, most = '']) => `There are at most ${formatNumber(Number(most))}`,
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

/** What a schema says of a value, as one says it to a person; what is said in words stays so. */
export function inWords(detail: string): string {
  for (const [pattern, say] of WORDS) {
    const found = pattern.exec(detail);
    if (found !== null) return `${say(found)}.`;
  }
  return detail;
}
