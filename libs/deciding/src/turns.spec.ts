import { Turns } from './turns.js';

it('lets so many begin at once, and the others in the order in which they asked', async () => {
  const turns = new Turns(2);
  const begun: number[] = [];
  const asked = [0, 1, 2, 3].map((who) => turns.begin().then(() => void begun.push(who)));
  await Promise.all(asked.slice(0, 2));
  expect(begun).toEqual([0, 1]);
  turns.end();
  await asked[2];
  expect(begun).toEqual([0, 1, 2]);
  turns.end();
  await asked[3];
  expect(begun).toEqual([0, 1, 2, 3]);
});
