import type pg from 'pg';
import { checkArchiveFile, isAtHand } from '#backup/archives/archive-file.js';
import { ArchivedData } from '#backup/archives/archived-data.js';
import { standingArchives } from '#event-log/standing-archives.js';
import { archivedCall } from '#event-log/archived-call.js';
import type { StoredEvent } from '#event-log/event-log.js';
import type { LaneFindings } from './findings.js';

const NUMBERS = new Intl.NumberFormat('en');

/** The archived calls of a lane. */
export class ArchivedLane {
  private constructor(
    private readonly client: pg.ClientBase,
    private readonly findings: LaneFindings,
    private readonly data: ArchivedData,
    /** Sentences about calls whose files are not at hand: nothing of the lane can be recomputed. */
    readonly missing: readonly string[],
  ) {}

  /** Reads every byte of the lane's files that are in the folder. */
  static async open(
    client: pg.ClientBase,
    findings: LaneFindings,
    folder: string,
  ): Promise<ArchivedLane> {
    const { lane } = findings;
    const missing: string[] = [];
    for (const { archive, before, files } of await standingArchives(client)) {
      const file = files.find((one) => one.lane === lane);
      if (file === undefined) continue;
      const fault = (await isAtHand(folder, file)) ? await faultOf(folder, file) : undefined;
      if (fault !== undefined) {
        const key = file.file;
        findings.add('archives', { table: 'event', key, expected: file.sha256, found: fault });
      }
      if (fault === undefined && (await isAtHand(folder, file))) continue;
      missing.push(
        `Lane ${lane}: ${NUMBERS.format(file.calls)} calls before ${before} are archived in ${file.file} ` +
          `(archive ${archive}), which is not at hand: the hash chains of the lane were checked, but no ` +
          'charge, balance or row of a projection.',
      );
    }
    return new ArchivedLane(client, findings, new ArchivedData(folder), missing);
  }

  /** The events with the data of those that are archived, where all files are at hand. */
  async fill(events: readonly StoredEvent[]): Promise<readonly StoredEvent[]> {
    return this.missing.length > 0 ? events : this.data.find(this.client, events);
  }

  /** Compares the head that the log keeps of an archived call with that of what the file has. */
  check(left: StoredEvent | undefined, head: string): void {
    const kept = left && archivedCall(left.data);
    if (left === undefined || kept === undefined || kept.head === head) return;
    this.findings.event('archives', left.position, kept.head, head);
  }
}

async function faultOf(
  folder: string,
  file: Parameters<typeof checkArchiveFile>[1],
): Promise<string | undefined> {
  try {
    await checkArchiveFile(folder, file);
    return undefined;
  } catch (error) {
    return String(error);
  }
}
