export const TIME_SERIES = {
  key: '/v1/2026w47/cat5/timeseries/popindex/us/b2a6a7d0-6c4e-4a56-9d0b-2f1d1f6d2c02',
  credits_used: 1760,
  data: {
    cat5_id: 'b2a6a7d0-6c4e-4a56-9d0b-2f1d1f6d2c02',
    dashboard:
      'http://127.0.0.1:3003/dashboard/categories/b2a6a7d0-6c4e-4a56-9d0b-2f1d1f6d2c02?country=us',
    timeseries: [
      { date: '2022-12-01', real_volume: 11.5 },
      { date: '2023-01-01', real_volume: 22 },
      { date: '2023-02-01', real_volume: 32.5 },
      { date: '2023-03-01', real_volume: 43 },
      { date: '2023-04-01', real_volume: 53.5 },
      { date: '2023-05-01', real_volume: 64 },
      { date: '2023-06-01', real_volume: 74.5 },
      { date: '2023-07-01', real_volume: 85 },
      { date: '2023-08-01', real_volume: 95.5 },
      { date: '2023-09-01', real_volume: 106 },
      { date: '2023-10-01', real_volume: 116.5 },
      { date: '2023-11-01', real_volume: 127 },
    ],
    call_cost: 10,
    data_cost: 1750,
  },
};
