import { AppendUncertainError, type EventLog } from '#event-log/event-log.js';
import { Metrics } from '#service/metrics/metrics.js';
import { measuredLog } from './measured-log.js';

const APPEND = { end: { lane: 1, position: 0, head: '' }, events: [] };

test('commits are measured by size and time, failed ones are counted, and the rest is the log’s', async () => {
  const append = jest.fn<Promise<[]>, unknown[]>().mockResolvedValueOnce([]);
  append.mockRejectedValueOnce(new AppendUncertainError('lost'));
  const ends = jest.fn().mockResolvedValue([]);
  const metrics = new Metrics();
  const log = measuredLog({ append, ends } as unknown as EventLog, metrics);
  await expect(log.append([APPEND])).resolves.toEqual([]);
  await expect(log.append([APPEND])).rejects.toThrow(AppendUncertainError);
  await expect(log.ends([1])).resolves.toEqual([]);
  const text = await metrics.text();
  expect(text).toMatch(/^popindex_commit_events_count 1$/m);
  expect(text).toMatch(/^popindex_commit_duration_seconds_count 1$/m);
  expect(text).toMatch(/^popindex_commit_failures_total 1$/m);
});
