import { RefusalLog } from './refusal-log.js';

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

test('each reason has a line a minute, which counts those between', () => {
  let now = 0;
  const lines: string[] = [];
  const log = new RefusalLog(
    (error) => lines.push(messageOf(error)),
    () => now,
  );
  for (let peer = 1; peer <= 40; peer += 1) log.report('secret', `Peer ${peer} was refused.`);
  log.report('version', 'Peer 41 was refused.');
  now = 59_999;
  log.report('secret', 'Peer 42 was refused.');
  now = 60_000;
  log.report('secret', 'Peer 43 was refused.');
  now = 120_000;
  log.report('secret', 'Peer 44 was refused.');
  expect(lines).toEqual([
    'Peer 1 was refused.',
    'Peer 41 was refused.',
    'Peer 43 was refused. 40 more for this reason since the last line.',
    'Peer 44 was refused.',
  ]);
});
