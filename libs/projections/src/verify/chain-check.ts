import type { LaneEnd, StoredEvent } from '#event-log/event-log.js';
import { LaneChains, type ChainedBatch, type ChainFault } from '#event-log/lane-chains.js';
import type { CheckName, LaneFindings } from './findings.js';

/** How each fault is shown: its check, the table of its row, and the member that differs. */
const SHOWN: Record<
  ChainFault['of'],
  readonly [check: CheckName, table: 'event' | 'batch' | 'lane', member: string]
> = {
  position: ['positions', 'event', 'position'],
  'account-lane': ['events', 'event', 'lane of its account'],
  'account-version': ['versions', 'event', 'account_version'],
  'batch-end': ['batches', 'batch', 'last_position'],
  'batch-events': ['batches', 'batch', 'events'],
  'batch-hash': ['chains', 'batch', 'hash'],
  'open-events': ['batches', 'batch', 'events after the last batch'],
  'lane-position': ['positions', 'lane', 'position'],
  'lane-head': ['chains', 'lane', 'head'],
};

/** Follows both chains through a lane. After damage it goes on from what is stored. */
export class ChainCheck {
  private readonly chains: LaneChains;

  constructor(private readonly findings: LaneFindings) {
    this.chains = new LaneChains(findings.lane, (fault) => this.found(fault));
  }

  /** `batch`: the row that ends with this event, if one does. Answers its account's head. */
  add(stored: StoredEvent, batch: ChainedBatch | undefined): string {
    const head = this.chains.event(stored);
    if (batch !== undefined) this.chains.batch(batch);
    return head;
  }

  /** `batches`: how many rows of batches the lane has. */
  end(end: LaneEnd, batches: number): void {
    this.chains.end(end);
    if (batches === this.chains.batches) return;
    const key = `lane ${end.lane}`;
    const expected = `${this.chains.batches} batches that end at an event`;
    this.findings.add('batches', { table: 'batch', key, expected, found: batches });
  }

  private found({ of, position, expected, found }: ChainFault): void {
    const [check, table, member] = SHOWN[of];
    const lane = `lane ${this.findings.lane}`;
    const places = {
      event: `${lane}, position ${position}`,
      batch: `${lane}, last position ${position}`,
      lane,
    };
    this.findings.add(check, {
      table,
      key: places[table],
      expected: { [member]: expected },
      found: { [member]: found },
    });
  }
}
