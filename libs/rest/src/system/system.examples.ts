// The service as it stands on a quiet day.

const STARTED = '2026-11-21T12:00:00.000Z';
const ENDED = '2026-11-21T12:04:10.000Z';

export const RELEASE = {
  release: 'r1',
  window: '2026w47',
  through: '2026-10-01',
  sha256: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
  published_at: '2026-11-16T06:00:00.000Z',
  categories: 480,
  brands: 1_200,
  relations: 9_600,
  volumes: 483_840,
};

export const REBUILD = {
  status: 'running',
  stage: 'building',
  started_at: STARTED,
  ended_at: null,
  events: 250_000,
  events_total: 1_000_000,
  error: null,
};

export const PROJECTION = {
  name: 'windows',
  version: 3,
  status: 'running',
  lag: 0,
  error: null,
  rebuild: { ...REBUILD, status: 'done', stage: 'catching-up', ended_at: ENDED, events: 1_000_000 },
  damaged_accounts: [],
};

export const VERIFICATION = {
  status: 'done',
  started_at: STARTED,
  ended_at: ENDED,
  lanes: 65,
  lanes_total: 65,
  events: 1_000_000,
  events_total: 1_000_000,
  intact: true,
  checks: [
    {
      check: 'chains',
      rule: 'Each event carries on the chain of its account.',
      differences: 0,
      first: null,
    },
  ],
  not_covered: [],
  error: null,
};
