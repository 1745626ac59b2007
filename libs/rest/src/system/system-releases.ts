import type { EventLog } from '#event-log/event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { RELEASES, type PublishedRelease } from '#popularity/release-events.js';
import type { PublishedReleases } from './ports.js';

/** Releases, from the system's own stream. */
export class SystemReleases implements PublishedReleases {
  private readonly stream: SystemStream;

  constructor(log: EventLog) {
    this.stream = new SystemStream(log);
  }

  async published(): Promise<readonly PublishedRelease[]> {
    return this.stream.read(RELEASES);
  }
}
