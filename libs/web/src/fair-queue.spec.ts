import { FairQueue } from './fair-queue.js';

function busy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it('long works share one slice in each turn of the event loop', async () => {
  let slices = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    const turns = new FairQueue();
    for (let part = 0; part < 5; part += 1) {
      busy(2);
      slices += 1;
      await turns.pass();
    }
  };
  const working = Promise.all(Array.from({ length: 6 }, work));
  // The first slice of each is that of the request that began it.
  slices = 0;
  for (let turn = 0; turn < 24; turn += 1) {
    await new Promise(setImmediate);
    most = Math.max(most, slices);
    slices = 0;
  }
  await working;
  expect(most).toBe(1);
});

it('the slices of several long works leave the event loop to others for most of the time', async () => {
  const began = performance.now();
  const work = async (): Promise<void> => {
    const turns = new FairQueue();
    for (let part = 0; part < 10; part += 1) {
      busy(1);
      await turns.pass();
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  // 40 slices of a millisecond.
  expect(performance.now() - began).toBeGreaterThan(60);
});

it('short work is not held up', async () => {
  const turns = new FairQueue();
  let isTurned = false;
  setImmediate(() => (isTurned = true));
  await turns.pass();
  expect(isTurned).toBe(false);
});
