import path from 'node:path';
import type pg from 'pg';
import type { ProgressCounter } from './backup-progress.js';
import { CopyInto } from './copy-into.js';
import { LaneCheck } from './lane-check.js';
import type { EventLine } from './lane-lines.js';
import type { LaneFile, Manifest } from './manifest.js';
import { readLines } from './read-lines.js';

const EVENT_COPY = `copy event
  (lane, position, account_id, account_version, call_id, type, at, data) from stdin (freeze)`;
const BATCH_COPY = `copy batch
  (lane, last_position, events, hash, committed_at) from stdin (freeze)`;
/** Rows of batches wait in memory until so many events are loaded. */
const EVENTS_PER_COPY = 100_000;
const ESCAPED = /[\\\t\n\r]/g;
const NEEDS_ESCAPE = /[\\\t\n\r]/;
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

/**
 * Loads the log of a backup inside the caller's transaction, which has emptied its tables before,
 * and checks every position and both chains of hashes on the way. Throws DamageError at the first
 * line that does not fit.
 */
export async function loadLog(
  client: pg.ClientBase,
  folder: string,
  { lanes }: Manifest,
  counter: ProgressCounter,
): Promise<void> {
  const copies = new LogCopies(client);
  try {
    for (const lane of lanes) await loadLane(copies, folder, lane, counter);
    await copies.flush();
  } catch (error) {
    await copies.abort();
    throw error;
  }
  for (const { lane, position, head } of lanes) {
    await client.query('update lane set position = $2, head = $3 where lane = $1', [
      lane,
      position,
      Buffer.from(head, 'hex'),
    ]);
  }
}

async function loadLane(
  copies: LogCopies,
  folder: string,
  lane: LaneFile,
  counter: ProgressCounter,
): Promise<void> {
  const check = new LaneCheck(lane);
  for await (const lines of readLines(path.join(folder, lane.file), lane.file)) {
    let events = '';
    let batches = '';
    for (const line of lines) {
      const event = check.line(line);
      events += eventRow(lane.lane, event);
      if (event.batch !== null) batches += batchRow(lane.lane, event.position, event.batch);
    }
    await copies.write(events, batches, lines.length);
    counter.add(lines.length);
  }
  check.end();
}

function eventRow(lane: number, event: EventLine): string {
  const { position, accountId, accountVersion, callId, type, at, data } = event;
  const call = callId ?? '\\N';
  return `${lane}\t${position}\t${accountId}\t${accountVersion}\t${call}\t${copyText(type)}\t${at}\t${copyText(data)}\n`;
}

function batchRow(
  lane: number,
  lastPosition: number,
  { events, hash, committedAt }: NonNullable<EventLine['batch']>,
): string {
  return `${lane}\t${lastPosition}\t${events}\t\\\\x${hash}\t${committedAt}\n`;
}

function copyText(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return text;
  return text.replace(ESCAPED, (character) => ESCAPES[character] ?? character);
}

/** One connection copies into one table at a time: events in long runs, their batches between. */
class LogCopies {
  private copy: CopyInto | undefined;
  private batches: string[] = [];
  private events = 0;

  constructor(private readonly client: pg.ClientBase) {}

  async write(events: string, batches: string, count: number): Promise<void> {
    this.copy ??= new CopyInto(this.client, EVENT_COPY);
    this.events += count;
    if (batches !== '') this.batches.push(batches);
    await this.copy.write(events);
    if (this.events >= EVENTS_PER_COPY) await this.flush();
  }

  async flush(): Promise<void> {
    await this.copy?.end();
    this.copy = undefined;
    this.events = 0;
    if (this.batches.length === 0) return;
    this.copy = new CopyInto(this.client, BATCH_COPY);
    for (const rows of this.batches) await this.copy.write(rows);
    await this.copy.end();
    this.copy = undefined;
    this.batches = [];
  }

  async abort(): Promise<void> {
    await this.copy?.abort();
  }
}
