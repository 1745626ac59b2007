import { usageCharge } from '#invoice-rules/focus.js';
import { FOCUS_HEADER, focusCsvLine } from '#invoice-rules/focus-columns.js';
import EXAMPLE from './focus-example.json' with { type: 'json' };

test('the file that documents show is one of these calls', () => {
  const day = { from: '2026-10-06T00:00:00Z', to: '2026-10-07T00:00:00Z' };
  const asked = { rule: 'top 5', kind: 'base', region: 'us', tags: '{"team":"nails"}' };
  const account = {
    id: '00000000-0000-4000-8000-000000000001',
    name: 'Acme',
    currency: 'EUR',
    issuer: 'Index GmbH',
    month: { from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' },
  };
  const usage = { ...asked, day, calls: 12, credits: 420 };
  const row = focusCsvLine(usageCharge(usage, account, { amount: 525, credits: 420 }));
  expect(EXAMPLE.map((line) => `${line}\r\n`).join('')).toBe(FOCUS_HEADER + row);
});
