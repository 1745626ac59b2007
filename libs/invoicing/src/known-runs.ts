import type { StoredEvent } from '#event-log/event-log.js';
import type { Fold } from '#event-log/fold.js';
import { INVOICE_NUMBERED } from '#projections/events/number-events.js';
import {
  INVOICE_RUN_ENDED,
  INVOICE_RUN_STARTED,
  type InvoiceRunEnded,
  type InvoiceRunStarted,
} from './invoice-run-events.js';

/** A run as the system's lane records it. */
export interface KnownRun {
  readonly id: string;
  readonly startedAt: number;
  readonly asked: InvoiceRunStarted;
  /** Null: it goes on, or was left by a process that fell. */
  readonly ended: { readonly at: number; readonly data: InvoiceRunEnded } | null;
  /** Invoices numbered since it began, by whoever. */
  readonly documents: number;
}

/** Every run there was, as the system's stream has them. */
export class KnownRuns {
  private readonly byId = new Map<string, KnownRun>();
  private readonly openIds = new Set<string>();

  get(id: string): KnownRun | undefined {
    return this.byId.get(id);
  }

  /** Ids of those that nobody has ended. */
  open(): readonly string[] {
    return [...this.openIds];
  }

  takeIn(event: StoredEvent): this {
    if (event.type === INVOICE_RUN_STARTED) this.start(event);
    else if (event.type === INVOICE_RUN_ENDED) this.end(event);
    else if (event.type === INVOICE_NUMBERED) {
      for (const id of this.openIds) {
        this.change(id, (run) => ({ ...run, documents: run.documents + 1 }));
      }
    }
    return this;
  }

  private start({ callId: id, at: startedAt, data }: StoredEvent): void {
    if (id === null) throw new Error('A run has no id.');
    const asked = JSON.parse(data) as InvoiceRunStarted;
    this.byId.set(id, { id, startedAt, asked, ended: null, documents: 0 });
    this.openIds.add(id);
  }

  private end({ at, data: text }: StoredEvent): void {
    const data = JSON.parse(text) as InvoiceRunEnded;
    this.change(data.run_id, (run) => ({ ...run, ended: { at, data } }));
    this.openIds.delete(data.run_id);
  }

  private change(id: string, change: (run: KnownRun) => KnownRun): void {
    const run = this.byId.get(id);
    if (run === undefined) throw new Error(`The system's stream holds no run ${id}.`);
    this.byId.set(id, change(run));
  }
}

export const RUNS: Fold<KnownRuns> = {
  initial: () => new KnownRuns(),
  evolve: (runs, event) => runs.takeIn(event),
};
