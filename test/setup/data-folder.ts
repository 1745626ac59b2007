import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { waitFor } from './wait-for.js';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The id in a file that a server removes as it ends, at any moment; 0: there is none. */
function pidIn(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split('\n')[0]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** A DATA_DIR of its own below a temporary folder, and the embedded database that works in it. */
export class DataFolder {
  private constructor(
    private readonly parent: string,
    readonly path: string,
  ) {}

  static async make(): Promise<DataFolder> {
    const parent = await mkdtemp(path.join(tmpdir(), 'popindex-data-'));
    return new DataFolder(parent, path.join(parent, 'data'));
  }

  text(name: string): string {
    return readFileSync(path.join(this.path, name), 'utf8').trim();
  }

  /** Process id of the living embedded database; undefined where none runs. */
  get postmaster(): number | undefined {
    const pid = pidIn(path.join(this.path, 'postgres', 'postmaster.pid'));
    return pid > 0 && isAlive(pid) ? pid : undefined;
  }

  /** Ends a database that a failed test left behind, and removes everything. */
  async remove(): Promise<void> {
    const { postmaster } = this;
    if (postmaster !== undefined) process.kill(postmaster, 'SIGQUIT');
    await waitFor('the database is gone', () => this.postmaster === undefined);
    await rm(this.parent, { recursive: true, force: true });
  }
}
