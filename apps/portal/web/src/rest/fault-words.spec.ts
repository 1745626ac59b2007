import { inWords } from './fault-words.js';

test.each([
  ['This is missing: a number.', 'Enter a number.'],
  ['This must be a number.', 'Enter a number.'],
  ['This must be a whole number.', 'Enter a whole number.'],
  ['This is missing: a text.', 'Fill this in.'],
  ['This is missing: one of month, window.', 'Choose one of month, window.'],
  ['This must be one of month, window.', 'Choose one of month, window.'],
  [
    'An e-mail address such as billing@example.com.',
    'An e-mail address such as billing@example.com.',
  ],
  ['This must be at least 1.', 'It is at least 1.'],
  ['This must be more than 0.', 'It is more than 0.'],
  ['This must be at most 1000000.', 'It is at most 1,000,000.'],
  ['This must not be empty.', 'Fill this in.'],
  ['This must have at most 1000 characters.', 'It has at most 1,000 characters.'],
  ['There must be at least 1.', 'Choose at least one.'],
  ['There must be at most 2.', 'There are at most 2.'],
])('"%s" of the service is "%s" to a person', (detail, words) => {
  expect(inWords(detail)).toBe(words);
});
