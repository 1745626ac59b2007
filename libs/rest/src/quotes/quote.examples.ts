export const QUOTE_REQUEST = {
  urls: [
    '/v1/latest/cat2/trends/top5/popindex/us/skincare',
    '/v1/latest/cat1/trends/all/popindex/xx/beauty',
  ],
};

export const QUOTE = {
  items: [
    {
      url: '/v1/latest/cat2/trends/top5/popindex/us/skincare',
      key: '/v1/2026w47/cat2/trends/top5/popindex/us/skincare',
      kind: 'repeat',
      call_cost: 10,
      data_cost: 0,
      credits: 10,
      rule: 'top 5',
      window: '2026w47',
      window_ends_at: '2026-11-24T00:00:00Z',
      next_window_credits: 35,
      problem: null,
    },
    {
      url: '/v1/latest/cat1/trends/all/popindex/xx/beauty',
      problem: {
        type: 'https://data.example.com/problems/invalid-parameter',
        code: 'invalid-parameter',
        title: 'A parameter is wrong',
        status: 400,
        detail: 'This parameter is wrong: region (path).',
        instance: 'urn:uuid:0d9f3b0e-52c4-4f7e-8a86-4b1f0f1c9d2a',
        parameters: [
          {
            in: 'path',
            name: 'region',
            value: 'xx',
            allowed: ['us', 'gb', 'fr', 'kr', 'jp', 'global'],
          },
        ],
      },
    },
  ],
  next: null,
  total_credits: 10,
  shortfall_credits: 0,
  affordable: false,
};
