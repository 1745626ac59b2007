import { AppendSlots } from './append-slots.js';

it('lets so many begin at once, and the others in the order in which they asked', async () => {
  const turns = new AppendSlots(2);
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
  const turns = new AppendSlots(1);
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

describe('a turn beside another one', () => {
  it('begins when it has gathered enough', async () => {
    const turns = new AppendSlots(2, 3);
    let gathered = 1;
    const first = await turns.begin(() => 1);
    const begun: string[] = [];
    const second = turns.begin(() => gathered).then(() => begun.push('second'));
    for (gathered = 1; gathered < 3; gathered += 1) turns.reached(gathered);
    await Promise.resolve();
    expect(begun).toEqual([]);
    turns.reached(gathered);
    await second;
    turns.end(first);
  });

  it('begins with what it has when the other one ends, or is late', async () => {
    const turns = new AppendSlots(2, 3);
    const first = await turns.begin(() => 1);
    const second = turns.begin(() => 1);
    const third = turns.begin(() => 2);
    turns.end(first);
    const { begunAt } = await second;
    turns.passLate(begunAt + 1_000);
    await third;
  });

  it('begins with what it has when one of many ends', async () => {
    const turns = new AppendSlots(3, 3);
    const [first] = await Promise.all([turns.begin(() => 3), turns.begin(() => 3)]);
    const small = turns.begin(() => 1);
    turns.end(first);
    await small;
  });

  it('lets one pass that has gathered enough', async () => {
    const turns = new AppendSlots(2, 3);
    await turns.begin(() => 1);
    const begun: string[] = [];
    void turns.begin(() => 1).then(() => begun.push('small'));
    await turns.begin(() => 3).then(() => begun.push('large'));
    expect(begun).toEqual(['large']);
  });
});
