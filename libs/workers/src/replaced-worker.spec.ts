import { waitFor } from '../../../test/setup/wait-for.js';
import { HungError, ReplacedWorker } from './replaced-worker.js';
import { Thread } from './thread.js';

/** A program of a thread, with a channel as `channelToStarter` makes it. */
function program(body: string): URL {
  const source = `import { parentPort } from 'node:worker_threads';
    const notify = (name) => parentPort.postMessage([['ask', 1, name, null]]);
    parentPort.on('message', (messages) => {
      for (const [kind, id, name] of messages) {
        if (name === 'stop') parentPort.close();
        if (name === 'hang') for (;;);
        if (kind === 'ask' && name !== 'never') parentPort.postMessage([['answer', id, null]]);
      }
    });
    ${body}`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

const SERVING = program(`notify('serving');`);
const FAILING = program(`throw new Error('It cannot start.');`);

let worker: ReplacedWorker<Thread>;
let ended: unknown[];

beforeEach(() => {
  ended = [];
});

afterEach(() => worker.stop(({ channel }) => channel.notify('stop', null)));

/** A worker whose lives run these programs in turn, the last one again and again. */
function workerOf(...lives: readonly URL[]): ReplacedWorker<Thread> {
  const left = [...lives];
  worker = new ReplacedWorker({
    begin: (serving) =>
      new Thread({
        program: (left.length > 1 ? left.shift() : left[0]) ?? SERVING,
        answers: { serving },
      }),
    onEnded: (error) => ended.push(error),
  });
  return worker;
}

test('a worker that serves is started, and ends as it is ordered to', async () => {
  await workerOf(SERVING).start();
  expect(worker.isServing).toBe(true);
  await worker.stop(({ channel }) => channel.notify('stop', null));
  expect([worker.isServing, worker.running, ended]).toEqual([false, undefined, []]);
});

test('one that ends before it serves fails the start, and another takes its place', async () => {
  await expect(workerOf(FAILING, SERVING).start()).rejects.toThrow('It cannot start.');
  await waitFor('another serves', () => worker.isServing);
  expect(ended.map(String)).toEqual(['Error: It cannot start.']);
});

test('one that ends unasked is replaced, and what it was asked fails with the reason', async () => {
  await workerOf(SERVING).start();
  const first = worker.running;
  const asked = first?.channel.ask('never');
  const lost = expect(asked).rejects.toThrow('The thread ended with 1.');
  first?.kill();
  await lost;
  await waitFor('another serves', () => worker.isServing && worker.running !== first);
  expect(ended.map(String)).toEqual(['Error: The thread ended with 1.']);
});

test('the waits before a worker that fails is replaced grow', async () => {
  const waits = jest.spyOn(global, 'setTimeout');
  await expect(workerOf(FAILING).start()).rejects.toThrow('It cannot start.');
  await waitFor('three have failed', () => ended.length >= 3);
  const grown = waits.mock.calls
    .map(([, ms]) => ms)
    .filter((ms) => [100, 200, 400].includes(ms ?? 0));
  waits.mockRestore();
  expect([...new Set(grown)].slice(0, 2)).toEqual([100, 200]);
});

test('one that hangs is ended and replaced', async () => {
  await workerOf(SERVING).start();
  const first = worker.running;
  first?.channel.notify('hang', null);
  await waitFor('it is silent', () => !worker.isServing, 30_000);
  await waitFor('another serves', () => worker.isServing && worker.running !== first, 30_000);
  expect(ended).toEqual([expect.any(HungError)]);
}, 60_000);

test('nobody takes the place of one whose end was expected', async () => {
  worker = new ReplacedWorker({
    begin: (serving) => new Thread({ program: SERVING, answers: { serving } }),
    onEnded: () => false,
  });
  await worker.start();
  worker.running?.kill();
  await waitFor('it has ended', () => worker.running === undefined);
  await worker.start();
  expect(worker.isServing).toBe(true);
});
