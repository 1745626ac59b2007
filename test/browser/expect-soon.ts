import { setTimeout as pause } from 'node:timers/promises';

const SOON_MS = 30_000;

/** Reads a page until it says what is expected: what stands there in between is not the end. */
export async function expectSoon(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  const from = performance.now();
  for (;;) {
    const found = await read();
    try {
      expect(found).toEqual(expected);
      return;
    } catch (difference) {
      if (performance.now() - from > SOON_MS) throw difference;
    }
    await pause(Math.min(20 + (performance.now() - from) / 20, 200));
  }
}
