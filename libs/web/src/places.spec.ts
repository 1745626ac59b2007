import { Places } from './places.js';

it('so many works as there are places run at a time, the others in their order', async () => {
  const places = new Places(2);
  const [began, ends]: [number[], (() => void)[]] = [[], []];
  const works = Array.from({ length: 5 }, (_, index) =>
    places.run(async () => {
      began.push(index);
      await new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  for (let index = 0; index < works.length; index += 1) {
    expect(began.length).toBeLessThanOrEqual(index + 2);
    ends[index]?.();
    await works[index];
    while (began.length < Math.min(5, index + 3)) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  expect(began).toEqual([0, 1, 2, 3, 4]);
});

it('others have their time between works that wait for a place', async () => {
  const places = new Places(1);
  const began = performance.now();
  const took: number[] = [];
  const works = Array.from({ length: 5 }, () =>
    places.run(async () => {
      const start = performance.now();
      while (performance.now() - start < 5);
      took.push(performance.now() - start);
    }),
  );
  await Promise.all(works);
  const worked = took.reduce((sum, ms) => sum + ms, 0);
  expect(performance.now() - began).toBeGreaterThan(worked * 2);
});

it('a work that fails leaves its place', async () => {
  const places = new Places(1);
  const works = [
    places.run(async () => Promise.reject(new Error('broken'))),
    places.run(async () => 'done'),
  ];
  const outcomes = await Promise.allSettled(works);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});
