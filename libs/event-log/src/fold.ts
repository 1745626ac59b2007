import type { StoredEvent } from './event-log.js';

/**
 * The value of a stream's events, folded in one at a time: so a change costs the same however many
 * came before it. `evolve` is deterministic; it may change the value that it is given, which nobody
 * keeps across an `await`, and returns the value after the event.
 */
export interface Fold<Value> {
  initial(): Value;
  evolve(value: Value, event: StoredEvent): Value;
}

/** For a decision that depends on no event. */
export const NOTHING: Fold<null> = { initial: () => null, evolve: () => null };

/** Two folds as one, for what is decided on both. */
export function bothOf<First, Second>(
  first: Fold<First>,
  second: Fold<Second>,
): Fold<readonly [First, Second]> {
  return {
    initial: () => [first.initial(), second.initial()],
    evolve: ([one, other], event) => [first.evolve(one, event), second.evolve(other, event)],
  };
}

/** A fold of the events up to a position. */
export class FoldedView<Value> {
  private position = 0;
  private current: Value;
  private fault: unknown;

  constructor(private readonly fold: Fold<Value>) {
    this.current = fold.initial();
  }

  /** The last event that was taken in; 0: none. */
  get at(): number {
    return this.position;
  }

  /** Throws what `evolve` threw: a view that cannot take an event in stands still by itself. */
  get value(): Value {
    if (this.fault !== undefined) throw this.fault;
    return this.current;
  }

  /** Drops what was taken in, to begin again at the first event. */
  reset(): void {
    this.position = 0;
    this.current = this.fold.initial();
    this.fault = undefined;
  }

  /** Takes in the next event; any other is ignored. */
  takeIn(event: StoredEvent): void {
    if (event.position !== this.position + 1) return;
    this.position = event.position;
    if (this.fault !== undefined) return;
    try {
      this.current = this.fold.evolve(this.current, event);
    } catch (error) {
      this.fault = error;
    }
  }
}

/** The fold of a whole list. */
export function foldAll<Value>(fold: Fold<Value>, events: readonly StoredEvent[]): Value {
  let value = fold.initial();
  for (const event of events) value = fold.evolve(value, event);
  return value;
}
