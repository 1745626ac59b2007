import { pino } from 'pino';
import { readableLine } from './readable-line.js';

function logged(write: (log: pino.Logger) => void): string {
  const lines: string[] = [];
  const options = {
    base: { process: 'standalone', pid: 7 },
    timestamp: () => ',"time":"2026-11-24T09:05:07.000Z"',
    formatters: { level: (level: string) => ({ level }) },
  };
  write(pino(options, { write: (line: string) => void lines.push(line) }));
  return lines.map(readableLine).join('');
}

test.each<[string, (log: pino.Logger) => void, string]>([
  ['a message alone', (log) => log.warn('The clock jumped.'), 'warn  The clock jumped.'],
  [
    'what else it holds',
    (log) => log.info({ part: { event: 'started' } }, 'It changed.'),
    'info  It changed. {"part":{"event":"started"}}',
  ],
  ['members without a message', (log) => log.error({ count: 2 }), 'error  {"count":2}'],
  [
    'nothing that would move the cursor',
    (log) => log.info({ name: '\u001b[2J\n' }, 'Named.'),
    'info  Named. {"name":"\\u001b[2J\\n"}',
  ],
])('a line for a terminal shows %s', (_what, write, line) => {
  expect(logged(write)).toBe(`09:05:07 ${line}\n`);
});
