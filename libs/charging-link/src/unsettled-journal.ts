import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isUnsettledCall, unsettledName, type UnsettledCall } from './messages.js';

const FOLDER = 'unsettled-calls';
const SUFFIX = '.json';

/**
 * The calls whose fate is unknown, one file for each, so that a process which is killed, or its
 * successor, still settles them. Processes that share the folder share what is in it: who settles a
 * call removes its file, and all others let go of it.
 */
export class UnsettledJournal {
  private readonly folder: string;

  /** `dataDir`: DATA_DIR of the process. `onFault` is called when the disk does not take it. */
  constructor(
    dataDir: string,
    private readonly onFault: (error: unknown) => void,
  ) {
    this.folder = path.join(dataDir, FOLDER);
  }

  /** Resolves once the call is on the disk: true; false where the disk has failed. */
  async keep(call: UnsettledCall): Promise<boolean> {
    const unfinished = `${this.file(call)}.${process.pid}`;
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      const file = await open(unfinished, 'w', 0o600);
      try {
        await file.writeFile(JSON.stringify(call));
        await file.datasync();
      } finally {
        await file.close();
      }
      await rename(unfinished, this.file(call));
      return true;
    } catch (error) {
      this.onFault(error);
      // A full disk takes the name of a file but not its content.
      await rm(unfinished, { force: true }).catch(() => undefined);
      return false;
    }
  }

  /** Whether nobody has settled a call that was kept. */
  holds(call: UnsettledCall): boolean {
    return existsSync(this.file(call));
  }

  async drop(call: UnsettledCall): Promise<void> {
    try {
      await rm(this.file(call), { force: true });
    } catch (error) {
      this.onFault(error);
    }
  }

  /** Calls that were kept and never dropped. A file that cannot be read is reported and left. */
  async read(): Promise<UnsettledCall[]> {
    const calls: UnsettledCall[] = [];
    for (const name of await this.names()) {
      const call = await this.readFile(path.join(this.folder, name));
      if (call !== undefined) calls.push(call);
    }
    return calls;
  }

  private async readFile(file: string): Promise<UnsettledCall | undefined> {
    try {
      const call: unknown = JSON.parse(await readFile(file, 'utf8'));
      if (isUnsettledCall(call)) return call;
      throw new Error(`${file} holds no unsettled call.`);
    } catch (error) {
      // Another process that shares the folder may have settled it just now.
      if (existsSync(file)) this.onFault(error);
      return undefined;
    }
  }

  private async names(): Promise<string[]> {
    if (!existsSync(this.folder)) return [];
    return (await readdir(this.folder)).filter((name) => name.endsWith(SUFFIX));
  }

  private file(call: UnsettledCall): string {
    return path.join(this.folder, `${unsettledName(call)}${SUFFIX}`);
  }
}
