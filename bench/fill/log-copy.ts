import type pg from 'pg';
import { CopyInto } from '#backup/copy-into.js';
import { COPY_BEGINS, COPY_ENDS, EVENT_COPY } from './event-rows.js';
import { BATCH_COPY, type RowsPart } from './lane-rows.js';

/** Rows of batches wait in memory until so many events are written. */
const EVENTS_PER_COPY = 1_000_000;

/** Writes the log on one connection, which copies into one table at a time. */
export class LogCopy {
  /** Events written so far. */
  events = 0;
  private copy: CopyInto | undefined;
  private copied = 0;
  private batches: string[] = [];
  private turn: Promise<void> = Promise.resolve();

  constructor(private readonly client: pg.ClientBase) {}

  /** Resolves when the part is written. Several may be on their way. */
  write(part: RowsPart): Promise<void> {
    this.turn = this.turn.then(() => this.writeNow(part));
    return this.turn;
  }

  /** Writes what still waits. */
  async end(): Promise<void> {
    await this.flush();
  }

  /** Gives up what is being copied, so that the connection can be used to roll back. */
  async abort(): Promise<void> {
    await this.copy?.abort();
  }

  private async writeNow({ events, eventRows, batchRows }: RowsPart): Promise<void> {
    this.copy ??= await this.beginEvents();
    await this.copy.write(Buffer.from(eventRows.buffer, eventRows.byteOffset, eventRows.length));
    this.batches.push(batchRows);
    this.events += events;
    this.copied += events;
    if (this.copied >= EVENTS_PER_COPY) await this.flush();
  }

  private async beginEvents(): Promise<CopyInto> {
    const copy = new CopyInto(this.client, EVENT_COPY);
    await copy.write(COPY_BEGINS);
    return copy;
  }

  private async flush(): Promise<void> {
    await this.copy?.write(COPY_ENDS);
    await this.copy?.end();
    this.copied = 0;
    this.copy = new CopyInto(this.client, BATCH_COPY);
    for (const rows of this.batches) await this.copy.write(rows);
    await this.copy.end();
    this.copy = undefined;
    this.batches = [];
  }
}
