import { usageCharge } from '#billing/focus.js';
import { FOCUS_HEADER, focusCsvLine } from '#billing/focus-columns.js';

const CHARGE = usageCharge(
  {
    day: { from: '2026-10-06T00:00:00Z', to: '2026-10-07T00:00:00Z' },
    rule: 'top 5',
    kind: 'base',
    region: 'us',
    tags: '{"team":"nails"}',
    calls: 12,
    credits: 420,
  },
  {
    id: '00000000-0000-4000-8000-000000000001',
    name: 'Acme',
    currency: 'EUR',
    issuer: 'Index GmbH',
    month: { from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' },
  },
  { amount: 525, credits: 420 },
);

/** A file of FOCUS with one row, as documents show it. */
export const FOCUS_EXAMPLE = FOCUS_HEADER + focusCsvLine(CHARGE);
