import { exampleOf } from '#rest/operation/examples.js';
import { BankProposals } from '#rest/bank-statements/bank-statement.schemas.js';
import { proposalsText } from './import-payments.js';

test('a statement is a check, a row for each entry with its reason, and the sums', () => {
  const [check, , header, first, second, ...rest] = proposalsText(exampleOf(BankProposals)).split(
    '\n',
  );
  expect(check).toBe('AT611904300234573201: entries of EUR 337.50, balances agree');
  expect(header).toMatch(/^place +date +amount +payer +outcome +account +invoices +reason$/);
  expect(first).toMatch(
    /^entry 1 +2026-12-08 +EUR 400\.00 +Nails & Co +proposed .* INV-000001, credit balance +It names/,
  );
  expect(second).toMatch(/EUR -62\.50 +- +ignored .* Money that went out\.$/);
  expect(rest.join('\n')).toMatch(/proposed +1 +EUR 400\.00[^]+read +- +EUR 337\.50$/);
});

test('balances that do not agree are seen', () => {
  const example = exampleOf(BankProposals);
  const [statement] = example.statements;
  if (statement === undefined) throw new Error('The example has no statement.');
  const text = proposalsText({ ...example, statements: [{ ...statement, adds_up: false }] });
  expect(text).toContain('BALANCES DO NOT AGREE');
});
