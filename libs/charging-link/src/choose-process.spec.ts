import fc from 'fast-check';
import { chooseProcess, type Candidate } from './choose-process.js';

const STATES: Readonly<Record<string, Candidate>> = {
  away: { ready: false, stable: false },
  new: { ready: true, stable: false },
  stable: { ready: true, stable: true },
};

// Lane, states of the processes, who served the lane last, who is asked.
const TABLE = `
  4  stable,stable      -  0
  5  stable,stable      -  1
  5  stable,away        -  0
  5  stable,away        1  0
  5  stable,away        0  0
  5  stable,new         0  0
  5  stable,new         -  1
  5  stable,stable      0  1
  5  new,new            0  0
  5  new,new            -  1
  5  away,away          0  -
  5  away,away          -  -
  7  stable,away,new    -  2
  8  new,stable,away    1  1
  8  new,new,away       1  1
  8  new,new,away       -  0
  3  stable             -  0
`;

test.each(
  TABLE.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/)),
)('lane %s with processes %s, served last by %s, goes to %s', (lane, states, last, chosen) => {
  const processes = (states ?? '').split(',').map((state) => STATES[state] ?? fail(state));
  const index = chooseProcess(Number(lane), processes, last === '-' ? undefined : Number(last));
  expect(index).toBe(chosen === '-' ? undefined : Number(chosen));
});

test('a process is chosen whenever one is ready, and only a ready one', () => {
  const candidate = fc.constantFrom(...Object.values(STATES));
  const last = fc.option(fc.nat(5), { nil: undefined });
  fc.assert(
    fc.property(fc.nat(64), fc.array(candidate, { minLength: 1 }), last, (lane, all, served) => {
      const index = chooseProcess(lane, all, served);
      if (index === undefined) expect(all.some(({ ready }) => ready)).toBe(false);
      else expect(all[index]?.ready).toBe(true);
    }),
  );
});

function fail(state: string): never {
  throw new Error(`${state} is no state of the table.`);
}
