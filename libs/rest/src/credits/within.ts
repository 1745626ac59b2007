import { Alarm } from '#event-log/alarm.js';

/** Waits so long for work at most; what is under way goes on. Its failure is nobody's here. */
export async function within(waitMs: number, work: Promise<unknown>): Promise<void> {
  const alarm = new Alarm();
  try {
    await Promise.race([work.catch(() => undefined), alarm.wait(waitMs)]);
  } finally {
    alarm.ring();
  }
}
