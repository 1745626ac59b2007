import { IDLE_MS, IdleTime } from './idle-time.js';

let now: number;
let kept: Map<string, string>;

function tab(): IdleTime {
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  return new IdleTime(store, 'console', () => now);
}

beforeEach(() => {
  now = 1_000_000;
  kept = new Map();
});

test('the time is over 30 minutes after the last input', () => {
  const idle = tab();
  now += IDLE_MS - 1;
  expect(idle.isOver()).toBe(false);
  idle.note();
  now += IDLE_MS - 1;
  expect(idle.isOver()).toBe(false);
  now += 1;
  expect(idle.isOver()).toBe(true);
});

test('input in one tab counts for all', () => {
  const [one, other] = [tab(), tab()];
  now += IDLE_MS - 1;
  other.note();
  now += 1;
  expect(one.isOver()).toBe(false);
});

test('who comes back too late is not taken for one who was there', () => {
  const idle = tab();
  now += IDLE_MS;
  idle.note();
  expect(idle.isOver()).toBe(true);
});

test('a new sign-in begins a new time', () => {
  tab();
  now += IDLE_MS;
  expect(tab().isOver()).toBe(false);
});
