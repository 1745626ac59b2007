import { Heartbeat } from './heartbeat.js';

const TIMINGS = { everyMs: 1_000, silentAt: 3, givenUpAt: 10, givenUpAtStart: 60 };

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** A heartbeat of a process that answers, or not, as `other` says; this one may stand still. */
function watched(answers = true) {
  const other = { answers, hasEnded: false };
  let unanswered: (() => void)[] = [];
  let stoodStillMs = 0;
  let hung = 0;
  const channel = {
    heard: 0,
    ask: async (): Promise<never> => {
      if (other.hasEnded) throw new Error('The other process ended.');
      if (!other.answers) await new Promise<void>((resolve) => unanswered.push(resolve));
      channel.heard += 1;
      return null as never;
    },
  };
  const now = (): number => Date.now() + stoodStillMs;
  const heartbeat = new Heartbeat(channel, () => (hung += 1), TIMINGS, now);
  return {
    heartbeat,
    other,
    hung: () => hung,
    seconds: (count: number) => jest.advanceTimersByTimeAsync(count * 1_000),
    /** As after SIGSTOP and SIGCONT: one look comes late, and what came meanwhile is unread. */
    standStill: (ms: number) => (stoodStillMs += ms),
    answerNow: () => {
      for (const answer of unanswered) answer();
      unanswered = [];
    },
  };
}

test('one that answers is left alone, however long', async () => {
  const { heartbeat, hung, seconds } = watched();
  await seconds(1_000);
  expect([heartbeat.isSilent, hung()]).toEqual([false, 0]);
});

test('one that stops answering is silent after seconds, and given up once, in bounded time', async () => {
  const { heartbeat, other, hung, seconds } = watched();
  await seconds(5);
  other.answers = false;
  await seconds(4);
  expect([heartbeat.isSilent, hung()]).toEqual([true, 0]);
  await seconds(8);
  expect(hung()).toBe(1);
  await seconds(100);
  expect(hung()).toBe(1);
});

test('one that was only busy goes on, and has all of the time again', async () => {
  const { heartbeat, other, hung, seconds, answerNow } = watched();
  for (let pause = 0; pause < 5; pause += 1) {
    other.answers = false;
    await seconds(9);
    expect(heartbeat.isSilent).toBe(true);
    other.answers = true;
    answerNow();
    await seconds(2);
    expect([heartbeat.isSilent, hung()]).toEqual([false, 0]);
  }
});

test('time in which this process stood still does not count, one that hung all along is still found', async () => {
  const { other, hung, seconds, standStill, answerNow } = watched();
  await seconds(2);
  other.answers = false;
  await seconds(2);
  for (let stop = 0; stop < 20; stop += 1) {
    standStill(60_000);
    await seconds(1);
  }
  expect(hung()).toBe(0);
  answerNow();
  await seconds(1);
  await seconds(8);
  expect(hung()).toBe(0);
  await seconds(4);
  expect(hung()).toBe(1);
});

test('one that has not answered yet is loading, and given up later', async () => {
  const { hung, seconds } = watched(false);
  await seconds(50);
  expect(hung()).toBe(0);
  await seconds(15);
  expect(hung()).toBe(1);
});

test('one that has ended is no business of it', async () => {
  const { other, hung, seconds } = watched();
  await seconds(2);
  other.hasEnded = true;
  await seconds(100);
  expect(hung()).toBe(0);
});
