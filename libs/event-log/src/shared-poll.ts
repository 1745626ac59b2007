import type pg from 'pg';
import type { LaneGroups } from './event-log.js';
import type { Projection } from './projection.js';
import { findWork, type Work } from './projection-work.js';

/** Projections that ask at the same time. */
interface SharedRequest {
  readonly projections: [Projection, ...Projection[]];
  readonly work: Promise<ReadonlyMap<string, Work>>;
}

/**
 * Finds the work of several projections that want the same events. Those that ask in the same turn
 * of the event loop share a statement.
 */
export class SharedPoll {
  private asked: SharedRequest | undefined;

  constructor(private readonly pool: pg.Pool) {}

  async find(projection: Projection, groups: LaneGroups): Promise<Work> {
    const { name } = projection;
    if (this.asked === undefined) this.asked = this.ask(projection, groups);
    else this.asked.projections.push(projection);
    return (await this.asked.work).get(name) ?? { skipped: 0, backlog: [] };
  }

  private ask(first: Projection, groups: LaneGroups): SharedRequest {
    const projections: SharedRequest['projections'] = [first];
    const work = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.asked = undefined;
      return findWork(this.pool, projections, groups);
    });
    return { projections, work };
  }
}
