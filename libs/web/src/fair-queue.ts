/** So long may one long work keep the event loop, in ms, before others have their turn. */
const SLICE_MS = 1;

/** Of several long works one slice begins in so many ms: a request needs some turns without one. */
const EVERY_MS = 3;

const waiting: (() => void)[] = [];

function goOn(): void {
  const next = waiting.shift();
  if (waiting.length > 0) setTimeout(goOn, EVERY_MS);
  next?.();
}

/**
 * Lets other requests have their turn within long work. However much of it there is, one slice of
 * it runs in a turn of the event loop, and not in each: otherwise ten long works would take ten
 * slices.
 */
export class FairQueue {
  #since = performance.now();

  /** To be called between parts of the work; waits only if they kept the event loop for long. */
  async pass(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return;
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(goOn);
    });
    this.#since = performance.now();
  }
}
