import { createHash } from 'node:crypto';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import { formatInstant } from '#calendar/instant.js';
import type { SystemStream } from '#event-log/system-stream.js';
import {
  RELEASE_MISSING,
  RELEASES,
  type PublishedRelease,
  type ReleaseMissing,
} from '#popularity/release-events.js';
import { ReleaseSchedule } from '#popularity/release-schedule.js';
import { uuidV8 } from '#web/uuid.js';

/** How long before a window begins its release is missed. */
const NOTICE_MS = 24 * 3_600_000;
const PERIOD_MS = 30_000;

/**
 * The event that says that the next window begins within a day and has no release of its own, or
 * null: there is time, it has one, or nothing was ever released.
 */
export function missingRelease(
  releases: readonly PublishedRelease[],
  calendar: Calendar,
  now: number,
) {
  const next = calendar.nextWindow(calendar.windowAt(now));
  if (next.startsAt - now > NOTICE_MS) return null;
  const schedule = new ReleaseSchedule(releases);
  const serving = schedule.serving(next.label);
  if (serving === undefined || serving.window === next.label) return null;
  const data: ReleaseMissing = {
    window: next.label,
    window_starts_at: formatInstant(next.startsAt),
    serving: serving.label,
  };
  return { type: RELEASE_MISSING, at: now, data };
}

/** One for each window, whichever process says it. */
function idOf(window: string): string {
  return uuidV8(createHash('sha256').update(`release missing ${window}`).digest());
}

export interface ReleaseWatchParts {
  readonly system: SystemStream;
  readonly calendar: Calendar;
  /** A clock that cannot be trusted says nothing. */
  readonly clock: Clock & { ready(): { readonly ready: boolean } };
  readonly onFault: (error: unknown) => void;
}

/** Says a day ahead that a window is about to begin with the release before it. */
export class ReleaseWatch {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly parts: ReleaseWatchParts) {}

  start(): void {
    this.timer = setInterval(() => this.look(), PERIOD_MS).unref();
    this.look();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private look(): void {
    this.running = this.running.then(() => this.say()).catch(this.parts.onFault);
  }

  private async say(): Promise<void> {
    const { system, calendar, clock } = this.parts;
    if (!clock.ready().ready) return;
    const now = clock.now();
    const next = calendar.nextWindow(calendar.windowAt(now));
    if (next.startsAt - now > NOTICE_MS) return;
    await system.appendOnce(idOf(next.label), RELEASES, (releases) =>
      missingRelease(releases, calendar, now),
    );
  }
}
