import type { LaneGroups } from '#event-log/event-log.js';
import type { MemoryEventLog } from '../../libs/event-log/test-adapters/memory-event-log.js';

/** A database server: it holds whole groups of lanes, fails alone and comes back alone. */
export interface Server {
  readonly name: string;
  readonly lanes: readonly number[];
  isDown: boolean;
  /** Functions that restore its lanes as of each of its commits, the newest last. */
  moments: (() => void)[];
}

/** The servers that share the groups of a log. Each owns its commits that nobody waits for. */
export class Servers {
  readonly all: readonly Server[];
  private readonly byLane = new Map<number, Server>();

  constructor(
    groups: LaneGroups,
    count: number,
    private readonly database: MemoryEventLog,
  ) {
    this.all = Array.from({ length: Math.min(count, groups.length) }, (_, index) => ({
      name: `S${index}`,
      lanes: groups.filter((_group, group) => group % count === index).flat(),
      isDown: false,
      moments: [],
    }));
    for (const server of this.all) for (const lane of server.lanes) this.byLane.set(lane, server);
  }

  of(lane: number): Server {
    const server = this.byLane.get(lane);
    if (server === undefined) throw new RangeError(`There is no lane ${lane}.`);
    return server;
  }

  /** Whether all of these lanes can be reached. */
  reach(lanes: readonly number[]): boolean {
    return lanes.every((lane) => !this.of(lane).isDown);
  }

  /** Remembers a commit to these lanes, which are of one group. */
  committed([lane = 0]: readonly number[]): void {
    const { lanes, moments } = this.of(lane);
    moments.push(this.database.mark(lanes));
  }

  /** Keeps the newest commit alone: what stood before is never lost. */
  settle(): void {
    for (const server of this.all) server.moments = server.moments.slice(-1);
  }
}
