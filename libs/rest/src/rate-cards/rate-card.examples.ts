// The first card that replaces the one that is built in, and what it changes.

const TOP_5 = { name: 'top 5', match: { limit: 'top5' }, data_cost: { flat: 30 } } as const;
const PER_ROW = { name: 'per row', match: {}, data_cost: { per_row: 5 } } as const;

export const RULES = [TOP_5, PER_ROW];

export const RATE_CARD = {
  version: 2,
  effective_window: '2027w01',
  effective_from: '2027-01-05T00:00:00Z',
  call_cost: 10,
  rules: RULES,
  in_force: false,
  in_force_next: false,
  published_at: '2026-11-21T12:00:00.000Z',
  published_by: 'owner',
  reason: 'New year.',
};

export const RATE_CARD_DIFF = {
  version: 2,
  against: 1,
  call_cost: { before: 10, after: 10 },
  rules: {
    added: [],
    removed: [],
    changed: [
      {
        name: 'top 5',
        before: { position: 3, ...TOP_5, data_cost: { flat: 25 } },
        after: { position: 0, ...TOP_5 },
      },
    ],
    reordered: false,
  },
};

const SUMS = { calls: 120, actual_credits: 1_410, preview_credits: 1_470, difference: 60 };

export const RATE_CARD_PREVIEW = {
  version: 2,
  from: '2026-10-01T00:00:00Z',
  to: '2026-11-01T00:00:00Z',
  total: { accounts: 1, ...SUMS },
  items: [
    {
      account_id: '00000000-0000-4000-8000-000000000001',
      name: 'Nails & Co',
      test: false,
      rate_card: null,
      ...SUMS,
    },
  ],
  next: null,
};
