import type pg from 'pg';
import { openDatabase } from '#database/database.js';
import { LANE_GROUPS, laneGroups, laneOf } from '#event-log/event-log.js';
import { LanesAway } from '../../../../test/setup/lanes-away.js';
import { workersAt } from '../../../../test/setup/test-cluster.js';
import { LedgerScene, type Writer } from './ledger-scene.suite.js';

const GROUPS = laneGroups(LANE_GROUPS);

/** Two accounts on a plain PostgreSQL, of which the lane of one can be away. */
export class AwayScene {
  private constructor(
    readonly scene: LedgerScene,
    private readonly away: LanesAway,
    readonly behind: Writer,
    readonly beside: Writer,
  ) {}

  /** Null on a cluster, whose lanes have servers of their own. */
  static async open(): Promise<AwayScene | null> {
    const scene = await LedgerScene.open();
    if ((await workersAt(scene.url)).length > 0) {
      await scene.close();
      return null;
    }
    const behind = await scene.writer().open();
    let beside = await scene.writer().open();
    while (groupOf(beside) === groupOf(behind)) beside = await scene.writer().open();
    return new AwayScene(scene, await LanesAway.prepare(scene), behind, beside);
  }

  /** Lends a pool of its own: it remembers for a while that lanes were away. */
  async withPool(work: (pool: pg.Pool) => Promise<void>): Promise<void> {
    await this.away.set([]);
    const pool = openDatabase({ url: this.away.url, applicationName: 'away-scene' });
    try {
      await work(pool);
    } finally {
      await pool.end();
    }
  }

  async leave(how: 'fail' | 'hang' = 'fail'): Promise<void> {
    await this.away.set(groupOf(this.behind), how);
  }

  async close(): Promise<void> {
    await this.away.end();
    await this.scene.close();
  }
}

function groupOf({ id }: Writer): readonly number[] {
  return GROUPS.find((lanes) => lanes.includes(laneOf(id))) ?? [];
}
