import { setImmediate as turn } from 'node:timers/promises';
import { SharedWork, type SharedWorkLimits } from './shared-work.js';

interface Run {
  readonly items: readonly string[];
  readonly end: (result: string | Error) => void;
}

function shared(limits?: SharedWorkLimits): { work: SharedWork<string, string>; runs: Run[] } {
  const runs: Run[] = [];
  const begin = (items: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const end = (result: string | Error): void =>
        typeof result === 'string' ? resolve(result) : reject(result);
      runs.push({ items, end });
    });
  return { work: new SharedWork(begin, limits), runs };
}

const itemsOf = (runs: readonly Run[]) => runs.map(({ items }) => items);

test('all who ask in one turn share a run, and who asks twice asks once', async () => {
  const { work, runs } = shared();
  const asked = ['a', 'b', 'a'].map((item) => work.join(item));
  await turn();
  expect(itemsOf(runs)).toEqual([['a', 'b']]);
  runs[0]?.end('done');
  expect(await Promise.all(asked)).toEqual(['done', 'done', 'done']);
});

test('who asks while a run is under way gets the result of one that begins later', async () => {
  const { work, runs } = shared();
  const first = work.join('a');
  await turn();
  const second = work.join('a');
  await turn();
  expect(itemsOf(runs)).toEqual([['a']]);
  runs[0]?.end('earlier');
  expect(await first).toBe('earlier');
  await turn();
  runs[1]?.end('later');
  expect(await second).toBe('later');
});

test('a run that fails fails for those in it, and the next one begins', async () => {
  const { work, runs } = shared();
  const first = work.join('a');
  await turn();
  const second = work.join('b');
  runs[0]?.end(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await turn();
  runs[1]?.end('done');
  expect(await second).toBe('done');
});

test('runs hold so many items, and so many are under way', async () => {
  const { work, runs } = shared({ runsMax: 2, itemsMax: 2 });
  const asked = ['a', 'b', 'c', 'd', 'e'].map((item) => work.join(item));
  await turn();
  expect(itemsOf(runs)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  runs[1]?.end('done');
  await turn();
  expect(itemsOf(runs)[2]).toEqual(['e']);
  for (const { end } of runs) end('done');
  expect(await Promise.all(asked)).toHaveLength(5);
});
