import type { Terms } from '#account/decide-call.js';
import type { Clock } from '#calendar/clock.js';
import type { EventLog } from '#event-log/event-log.js';
import type { LaneWatch } from '#event-log/lane-watch.js';
import type { LiveTerms } from './live-terms.js';
import type { KnownState } from './known-state.js';
import type { AppendSlots } from './append-slots.js';

export interface LaneWriterLimits {
  /** Commands folded into one transaction. */
  readonly batchMax: number;
  /** Commands that wait; one more is refused at once. */
  readonly queueMax: number;
}

/** Events of a writer, beside its answers. */
export interface LaneWriterEvents {
  /** An outage or a bug. What it means for each caller is answered there. */
  readonly onFault: (error: unknown) => void;
}

export interface LaneWriterParts {
  readonly log: EventLog;
  readonly known: KnownState;
  readonly clock: Clock;
  readonly terms: () => Terms;
  /** Where `terms` come from the log: whether they are all there, and how to make sure. */
  readonly liveTerms?: Pick<LiveTerms, 'state' | 'has' | 'refresh' | 'sells'>;
  /** Notified when the log has gone back behind what is known. */
  readonly watch?: Pick<LaneWatch, 'lost' | 'register'> | undefined;
  readonly limits: LaneWriterLimits;
  /** Shared by the writers of a process: each batch takes one. */
  readonly turns: AppendSlots;
  readonly events: LaneWriterEvents;
  /** Resolves when it is time for another attempt, after this many failures in a row. */
  readonly retryWait?: (failures: number) => Promise<void>;
}
