import type { Clock } from '#calendar/clock.js';
import { Alarm } from '#event-log/alarm.js';
import type { LostPositions } from '#event-log/lane-continuity.js';
import {
  countLost,
  keepsNumbers,
  LOG_POSITIONS_LOST,
  lossText,
  STANDING_LOSSES,
  unrecorded,
  type LogPositionsLost,
} from '#event-log/log-losses.js';
import type { SystemStream } from '#event-log/system-stream.js';
import type { Log } from '#web/log.js';
import type { Metrics } from './metrics/metrics.js';

export interface LostPositionsLogParts {
  readonly system: () => Pick<SystemStream, 'read' | 'append'>;
  readonly clock: Clock;
  readonly logger: Log;
  readonly metrics: Metrics;
  /** How long to wait before the log is tried again, 500 ms by default. */
  readonly retryMs?: number;
}

const RETRY_MS = 500;

/**
 * Logs and counts the positions that a process has lost, and records them in the log, so that all
 * processes know of them until an operator acknowledges them.
 */
export class LostPositionsLog {
  private unwritten: readonly LostPositions[] = [];
  private writing: Promise<void> | null = null;
  private isStopped = false;
  private readonly alarm = new Alarm();
  private readonly count: { value: number };

  constructor(private readonly parts: LostPositionsLogParts) {
    this.count = parts.metrics
      .counts(
        'popindex_log_positions_lost_total',
        'Positions of the log that this process knew and that a database which came back older lacks.',
      )
      .with({});
  }

  /** Takes what the process has lost, all lanes in one. */
  take(lost: readonly LostPositions[]): void {
    const lanes = lost.map(lossText).join('; ');
    this.parts.logger.error({ lost }, `The database came back older. Lost positions: ${lanes}.`);
    for (const loss of lost) this.count.value += countLost(loss);
    this.unwritten = [...this.unwritten, ...lost];
    this.writing ??= this.write().finally(() => (this.writing = null));
  }

  /** Whether numbers have to wait for these losses, or for some that are not written down yet. */
  keepsNumbers(standing: readonly LostPositions[]): boolean {
    return keepsNumbers(this.unwritten) || keepsNumbers(standing);
  }

  /** Losses that operators have to acknowledge, as far as they can be read. */
  async warnings(): Promise<readonly string[]> {
    const standing = await this.parts
      .system()
      .read(STANDING_LOSSES)
      .catch(() => []);
    const all = [...standing, ...unrecorded(this.unwritten, standing)];
    if (all.length === 0) return [];
    const numbers = keepsNumbers(all) ? ' No document is numbered before that.' : '';
    const lanes = [...new Set(all.map(lossText))].join('; ');
    return [`The log has lost positions, to be acknowledged: ${lanes}.${numbers}`];
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.alarm.ring();
    await this.writing;
  }

  private async write(): Promise<void> {
    while (this.unwritten.length > 0 && !this.isStopped) {
      const writing = this.unwritten;
      try {
        await this.parts
          .system()
          .append(STANDING_LOSSES, (standing) => this.decide(unrecorded(writing, standing)));
        this.unwritten = this.unwritten.filter((loss) => !writing.includes(loss));
      } catch (error) {
        this.parts.logger.warn({ err: error }, 'The lost positions could not be written down.');
        await this.alarm.wait(this.parts.retryMs ?? RETRY_MS);
      }
    }
  }

  private decide(lanes: readonly LostPositions[]) {
    if (lanes.length === 0) return null;
    const data: LogPositionsLost = { by: 'system', request: '', input: '', lanes };
    return { callId: null, type: LOG_POSITIONS_LOST, at: this.parts.clock.now(), data };
  }
}
