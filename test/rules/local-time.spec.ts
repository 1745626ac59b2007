import { shippedStatements } from './statements.js';

/** SQL whose value depends on the session's time zone, or on how the database reads its name. */
const LOCAL =
  /\bat time zone\b|\bset (?:local )?time ?zone\b|\btimezone\(|\bto_char\(|\bcurrent_(?:date|time)\b|\blocaltime(?:stamp)?\b|\bdate_trunc\('(?!milliseconds)|\bdate_part\('(?!epoch)|\bextract\((?!epoch)|::timestamp(?!tz)\b|::timetz?\b|(?:now\(\)|timestamp\(\)|\bat|_at|\))::date\b/i;

test('no statement works out local time: moments and days are parameters, from the calendar', () => {
  const statements = shippedStatements().filter(({ text }) =>
    /\b(?:select|where|coalesce)\b/.test(text),
  );
  expect(statements.length).toBeGreaterThan(100);
  expect(statements.filter(({ text }) => LOCAL.test(text))).toEqual([]);
});

test.each([
  `select to_timestamp(1) at time zone $1`,
  `select date_trunc('day', at) from event`,
  `select e.at::date`,
  `select extract(month from at)`,
  `select to_char(now(), 'YYYY')`,
])('%s is one that does', (text) => {
  expect(LOCAL.test(text)).toBe(true);
});
