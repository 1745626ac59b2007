import { LaneChains } from '#event-log/lane-chains.js';
import { DamageError } from './backup-fault.js';
import { parseLaneLine, type EventLine } from './lane-lines.js';
import type { LaneFile } from './manifest.js';

/**
 * Recomputes the chains of a lane from its lines and stops at the first one that does not fit.
 * Holds one head for each account of the lane.
 */
export class LaneCheck {
  private lines = 0;
  private readonly chains: LaneChains;

  constructor(private readonly lane: LaneFile) {
    this.chains = new LaneChains(lane.lane, ({ of, text }) => {
      // Which of a batch's events was changed nobody knows: its lines begin after the one before.
      throw this.damage(text, of === 'batch-hash' ? this.chains.closed + 1 : this.lines);
    });
  }

  /** Takes the next line. Throws DamageError. */
  line(text: string): EventLine {
    this.lines += 1;
    const event = parseLaneLine(text);
    if (typeof event === 'string') throw this.damage(event);
    const { batch, position } = event;
    this.chains.event({ ...event, at: Date.parse(event.at) });
    if (batch !== null) this.chains.batch({ ...batch, lastPosition: position });
    return event;
  }

  /** To be called after the last line. Throws DamageError. */
  end(): void {
    this.chains.end(this.lane);
    const { batches } = this.chains;
    if (batches !== this.lane.batches) {
      throw this.damage(`the lane has ${batches} batches instead of ${this.lane.batches}`);
    }
  }

  private damage(reason: string, line = this.lines): DamageError {
    return new DamageError({ file: this.lane.file, line: Math.max(line, 1), reason });
  }
}
