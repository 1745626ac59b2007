import { Shutdown } from './shutdown.js';

const LIMITS = { drainedMs: 40, stoppedMs: 80, endedMs: 120 };
const never = () => new Promise<void>(() => undefined);

function setUp() {
  const lines: string[] = [];
  const shutdown = new Shutdown((line) => lines.push(line), LIMITS);
  const step = (name: string) => async () => void lines.push(name);
  return { shutdown, lines, step };
}

test('calls are drained first, then all is stopped in reverse, the database last', async () => {
  const { shutdown, lines, step } = setUp();
  shutdown.last('database', step('database'));
  shutdown.stop('pool', step('pool'));
  shutdown.stop('writers', step('writers'));
  shutdown.drain('api', step('api'));
  await Promise.all([shutdown.run(), shutdown.run()]);
  expect(lines).toEqual(['api', 'writers', 'pool', 'database']);
});

test('a step that hangs or fails is reported, and the database is stopped all the same', async () => {
  const { shutdown, lines, step } = setUp();
  shutdown.last('database', step('database'));
  shutdown.stop('pool', never);
  shutdown.stop('writers', () => Promise.reject(new Error('torn')));
  shutdown.drain('api', never);
  await shutdown.run();
  expect(lines).toEqual([
    'Not stopped in time: one of api.',
    'Stopping writers failed: torn',
    'Not stopped in time: one of writers, pool.',
    'database',
  ]);
});

test('the log shows why a process stops, what went wrong, and that it has stopped', async () => {
  const { shutdown, lines } = setUp();
  const logged: unknown[] = [];
  const take = (members: object, message: string) => void logged.push([message, members]);
  shutdown.reportTo({ info: take, warn: take, error: take });
  shutdown.stop('writers', () => Promise.reject(new Error('torn')));
  await shutdown.run('SIGTERM');
  expect(logged).toEqual([
    ['Stopping. A second signal ends it at once.', { cause: 'SIGTERM' }],
    ['Stopping writers failed: torn', {}],
    ['Stopped.', { ms: expect.any(Number) }],
  ]);
  expect(lines).toEqual([]);
});
