import { Metrics } from './metrics.js';

test('counts and distributions are written in the text format of Prometheus', async () => {
  const metrics = new Metrics();
  const counts = metrics.counts('calls_total', 'Calls.');
  counts.with({ kind: 'base' }).value += 2;
  counts.with({ kind: 'base' }).value += 1;
  counts.with({ kind: 'repeat' });
  const sizes = metrics.distributions('batch_events', 'Events of a batch.', [1, 10]);
  for (const size of [1, 2, 10, 500]) sizes.with({}).observe(size);
  expect((await metrics.text()).trim().split(/\n+/)).toEqual([
    '# HELP calls_total Calls.',
    '# TYPE calls_total counter',
    'calls_total{kind="base"} 3',
    'calls_total{kind="repeat"} 0',
    '# HELP batch_events Events of a batch.',
    '# TYPE batch_events histogram',
    'batch_events_bucket{le="1"} 1',
    'batch_events_bucket{le="10"} 3',
    'batch_events_bucket{le="+Inf"} 4',
    'batch_events_sum 513',
    'batch_events_count 4',
  ]);
});

test('what cannot be read is left out and hides nothing else', async () => {
  const metrics = new Metrics();
  metrics.sampled('lag_events', 'Events behind.', 'gauge', () => Promise.reject(new Error('away')));
  metrics.sampled('queue', 'Waiting.', 'gauge', () => [{ labels: {}, value: 7 }]);
  const text = await metrics.text();
  expect(text).not.toMatch(/^lag_events/m);
  expect(text).toMatch(/^queue 7$/m);
});

test('the process reports its own metrics', async () => {
  const metrics = new Metrics();
  metrics.watchProcess();
  expect(await metrics.text()).toMatch(/^process_resident_memory_bytes \d+$/m);
});
