import type pg from 'pg';
import type { ArchiveFile } from '#event-log/archive-events.js';
import { standingArchives } from '#event-log/standing-archives.js';
import { archivedCall, ArchivedCallsError, refuseArchived } from '#event-log/archived-call.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { isAtHand, offsetOf, readArchiveFile } from './archive-file.js';

/** The data of archived calls, from the files of a folder. */
export class ArchivedData {
  /** `folder`: where all archives are. */
  constructor(private readonly folder: string) {}

  /** Whether a file is there with its length: its bytes are not read. */
  isAtHand(file: ArchiveFile): Promise<boolean> {
    return isAtHand(this.folder, file);
  }

  /**
   * The same events with the data of those that are archived. Throws ArchivedCallsError where a
   * file is not at hand, or does not hold one of them.
   */
  async fill(
    db: pg.Pool | pg.ClientBase,
    events: readonly StoredEvent[],
  ): Promise<readonly StoredEvent[]> {
    const filled = await this.find(db, events);
    for (const { data } of filled) refuseArchived(data);
    return filled;
  }

  /** The same, but for those that a file at hand does not hold: these stay as they are. */
  async find(
    db: pg.Pool | pg.ClientBase,
    events: readonly StoredEvent[],
  ): Promise<readonly StoredEvent[]> {
    const wanted = events.flatMap((event) => {
      const archive = archivedCall(event.data)?.archive;
      return archive === undefined ? [] : [{ event, archive }];
    });
    if (wanted.length === 0) return events;
    const archives = await standingArchives(db);
    const found = new Map<StoredEvent, string>();
    for (const { event, archive } of wanted) {
      if (found.has(event)) continue;
      const { lane } = event;
      const file = archives
        .find((one) => one.archive === archive)
        ?.files.find((one) => one.lane === lane);
      if (file === undefined || !(await isAtHand(this.folder, file))) {
        throw new ArchivedCallsError(archive, file?.file);
      }
      const together = wanted.filter((one) => one.archive === archive && one.event.lane === lane);
      await this.read(
        file,
        together.map((one) => one.event),
        found,
      );
    }
    return events.map((event) => ({ ...event, data: found.get(event) ?? event.data }));
  }

  private async read(
    file: ArchiveFile,
    calls: readonly StoredEvent[],
    found: Map<StoredEvent, string>,
  ): Promise<void> {
    const wanted = new Map(calls.map((call) => [call.position, call]));
    for (const call of calls) found.set(call, call.data);
    const positions = [...wanted.keys()];
    const last = Math.max(...positions);
    const start = await offsetOf(this.folder, file, Math.min(...positions));
    for await (const page of readArchiveFile(this.folder, file, start)) {
      for (const { event, head } of page) {
        const call = wanted.get(event.position);
        const left = archivedCall(call?.data ?? '');
        if (call === undefined || left?.head !== head || call.callId !== event.callId) continue;
        found.set(call, event.data);
      }
      if ((page.at(-1)?.event.position ?? 0) >= last) break;
    }
  }
}
