import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { callAt, DAY, terms, TUESDAY } from '#account/scenario.suite.js';
import { untilMet } from '#account/until-met.suite.js';
import { archiveCalls, bringBackCalls } from '#backup/archives/archive-calls.js';
import { ArchivedData } from '#backup/archives/archived-data.js';
import { standingArchives } from '#event-log/standing-archives.js';
import { archivedCall } from '#event-log/archived-call.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { verifyLog } from '../lane-threads/verify-log.js';
import { allProjections } from '../projections/projections.js';
import { PostgresAccountReads } from '../reads/postgres-account-reads.js';
import { LANE, SoundLog } from '../verify/sound-log.suite.js';
import { archivableVersions } from './archivable-calls.js';

const PROJECTIONS = allProjections(terms.calendar);
const FOREVER = { after: null, limit: 1_000, asOf: null };

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      days: fc.integer({ min: 1, max: 40 }),
      calls: fc.integer({ min: 1, max: 4 }),
    }),
  },
  fc.constant('archive' as const),
  fc.constant('bring-back' as const),
);

/** One account that calls, while its calls are archived and brought back. */
class History {
  private now = TUESDAY + 8 * DAY;
  /** All events as they were written, by position. */
  private readonly written = new Map<number, StoredEvent>();
  archived = 0;

  constructor(
    private readonly sound: SoundLog,
    private readonly folder: string,
  ) {}

  async take(one: 'archive' | 'bring-back' | { days: number; calls: number }): Promise<void> {
    if (one === 'archive' || one === 'bring-back') return this.move(one);
    this.now += one.days * DAY;
    const { accountId } = this.sound;
    for (let n = 0; n < one.calls; n += 1) {
      await this.sound.write(accountId, this.now, callAt(this.now));
    }
  }

  /** Neither way changes an answer about the account. */
  private async move(way: 'archive' | 'bring-back'): Promise<void> {
    const { pool, log } = this.sound;
    await this.sound.project();
    await this.keep();
    const before = await this.answers();
    const parts = {
      pool,
      log,
      system: new SystemStream(log),
      folder: this.folder,
      now: () => this.now,
    };
    if (way === 'bring-back') await bringBackCalls(parts, await standingArchives(pool));
    else {
      const month = terms.calendar.monthAt(this.now).label;
      const versions = await archivableVersions(pool, LANE, month);
      await archiveCalls(parts, month, [{ lane: LANE, versions }]);
    }
    await this.sound.project();
    expect(await this.answers()).toEqual(before);
    await this.expectWhole();
  }

  private async keep(): Promise<void> {
    for (const event of await this.sound.log.read(LANE, 0, 1_000)) {
      if (archivedCall(event.data) === undefined) this.written.set(event.position, event);
    }
  }

  private async answers(): Promise<unknown> {
    const { pool, accountId } = this.sound;
    const reads = new PostgresAccountReads(pool, terms.calendar, { now: () => this.now });
    const sums = { by: ['day' as const, 'rule' as const], from: null, to: null, ...FOREVER };
    return [
      await reads.account(accountId),
      await reads.usage(accountId, sums),
      await reads.windows(accountId, { window: '2026w48', ...FOREVER }),
    ];
  }

  async expectWhole(): Promise<void> {
    const { pool, log } = this.sound;
    await this.keep();
    const stored = await log.read(LANE, 0, 1_000);
    this.archived += stored.filter(({ data }) => archivedCall(data) !== undefined).length;
    const filled = await new ArchivedData(this.folder).fill(pool, stored);
    expect(filled).toEqual([...this.written.values()].toSorted((a, b) => a.position - b.position));
    const options = { archives: this.folder, lanes: [0, LANE] };
    const report = await verifyLog(pool, PROJECTIONS, terms, options);
    expect(report).toMatchObject({ intact: true, notCovered: [] });
  }
}

test('whenever calls are archived and brought back, nothing of an account is another', async () => {
  let archived = 0;
  await untilMet(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
      const sound = await SoundLog.make();
      const folder = await mkdtemp(path.join(tmpdir(), 'archives-'));
      try {
        const history = new History(sound, folder);
        for (const one of steps) await history.take(one);
        await sound.project();
        await history.expectWhole();
        archived += history.archived;
      } finally {
        await sound.drop();
        await rm(folder, { recursive: true });
      }
    }),
    { numRuns: 6 },
    () => archived > 0,
  );
  expect(archived).toBeGreaterThan(0);
}, 120_000);
