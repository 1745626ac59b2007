import { Alarm } from '#event-log/alarm.js';

/**
 * The result of work, waited for so long at most; undefined where it takes longer, and goes on, or
 * fails: somebody else does it then.
 */
export async function within<Result>(
  waitMs: number,
  work: Promise<Result>,
): Promise<Result | undefined> {
  const alarm = new Alarm();
  try {
    return await Promise.race([
      work.catch(() => undefined),
      alarm.wait(waitMs).then(() => undefined),
    ]);
  } finally {
    alarm.ring();
  }
}
