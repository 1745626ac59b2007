import { Turns } from './turns.js';

it('lets so many begin at once, and the others in the order in which they asked', async () => {
  const turns = new Turns(2);
  const begun: number[] = [];
  const asked = [0, 1, 2, 3].map(async (who) => {
    const turn = await turns.begin();
    begun.push(who);
    return turn;
  });
  const [first, second] = await Promise.all(asked.slice(0, 2));
  expect(begun).toEqual([0, 1]);
  turns.end(first!);
  await asked[2];
  expect(begun).toEqual([0, 1, 2]);
  turns.end(second!);
  await asked[3];
  expect(begun).toEqual([0, 1, 2, 3]);
});

it('passes a turn on that is late, and its end gives nobody a second one', async () => {
  const turns = new Turns(1);
  const late = await turns.begin();
  const next = turns.begin();
  const begun: string[] = [];
  const last = turns.begin().then(() => begun.push('last'));
  turns.passLate(late.begunAt + 100);
  turns.passLate(late.begunAt + 1_000);
  const turn = await next;
  turns.end(late);
  await Promise.resolve();
  expect(begun).toEqual([]);
  turns.end(turn);
  await last;
});
