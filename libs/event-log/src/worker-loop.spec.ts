import { WorkerLoop } from './worker-loop.js';

const LONG_MS = 60_000;
let loop: WorkerLoop;

function start(turn: () => Promise<number>, faults: unknown[] = []): void {
  const onFault = (error: unknown): void => void faults.push(error);
  const waits = { pollMs: LONG_MS, retryFirstMs: 1, retryMostMs: 1 };
  loop = new WorkerLoop({ turn, onFault, ...waits });
  loop.start();
}

afterEach(() => loop.stop());

test('the next turn follows at once while there is something to do', async () => {
  const left = [3, 2, 1];
  await new Promise<void>((resolve) => {
    start(async () => {
      if (left.length === 0) resolve();
      return left.pop() ?? 0;
    });
  });
  expect(left).toEqual([]);
});

test('a turn that fails is reported, and followed by another one', async () => {
  const faults: unknown[] = [];
  let turns = 0;
  await new Promise<void>((resolve) => {
    start(async () => {
      turns += 1;
      if (turns === 1) throw new Error('The database is away.');
      resolve();
      return 0;
    }, faults);
  });
  expect(faults).toEqual([new Error('The database is away.')]);
});

test('a wait for work ends when the loop is woken', async () => {
  let turns = 0;
  const second = new Promise<void>((resolve) => {
    start(async () => {
      turns += 1;
      if (turns === 2) resolve();
      return 0;
    });
  });
  loop.wake();
  await second;
});

test('stopping waits for the turn under way, and no other turn follows', async () => {
  let end: () => void = () => undefined;
  let turns = 0;
  start(async () => {
    turns += 1;
    await new Promise<void>((resolve) => (end = resolve));
    return 1;
  });
  const stopped = loop.stop();
  expect(loop.isStopping).toBe(true);
  end();
  await stopped;
  expect(turns).toBe(1);
});
