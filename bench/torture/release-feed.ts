import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeDemoRelease } from '#popularity/demo/demo-release.js';
import { CHECKOUT, DIST } from '../child.js';
import type { Journal } from './journal.js';
import type { SeededRandom } from './seeded.js';

const MONTHS = ['2026-10-01', '2026-09-01', '2026-08-01'];
const IMPORT_MS_MAX = 120_000;

/** Imports one release after the other by the command, and sometimes kills it in the middle. */
export class ReleaseFeed {
  private next = 1;

  private constructor(
    private readonly folders: readonly string[],
    private readonly databaseUrl: string,
    private readonly random: SeededRandom,
    private readonly journal: Journal,
  ) {}

  static async prepare(
    folder: string,
    databaseUrl: string,
    random: SeededRandom,
    journal: Journal,
  ): Promise<ReleaseFeed> {
    const folders = MONTHS.map((month) => path.join(folder, `release-${month}`));
    await Promise.all(MONTHS.map((month, at) => writeDemoRelease(folders[at] ?? '', month)));
    return new ReleaseFeed(folders, databaseUrl, random, journal);
  }

  /** The folder that the run begins with. */
  get first(): string {
    return this.folders[0] ?? '';
  }

  async import(): Promise<void> {
    const folder = this.folders[this.next % this.folders.length] ?? '';
    const isKilled = this.random.chance(0.3);
    const killAfterMs = this.random.between(500, 4_000);
    const main = path.join(DIST, 'apps', 'popindex', 'src', 'main.js');
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, [main, 'release', 'import', folder], {
      cwd: CHECKOUT,
      env: { PATH, HOME, LOG_LEVEL: 'warn', DATABASE_URL: this.databaseUrl },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ended = once(child, 'exit');
    const limit = isKilled ? killAfterMs : IMPORT_MS_MAX;
    await Promise.race([ended, delay(limit, undefined, { ref: false })]);
    if (child.exitCode === null) child.kill('SIGKILL');
    await ended;
    const how = child.exitCode === null ? 'killed' : `exit code ${child.exitCode}`;
    this.journal.count(`release import ${how}`);
    if (child.exitCode === 0) this.next += 1;
    else if (!isKilled) this.journal.say(`The import ended: ${how}\n${said.slice(-800)}`);
  }
}
