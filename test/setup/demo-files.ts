import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeDemoRelease } from '#popularity/demo/demo-release.js';

/** Directories of demo data that a story imports, and edited copies of them. */
export class DemoFiles {
  private copies = 0;

  private constructor(readonly folder: string) {}

  static async make(): Promise<DemoFiles> {
    return new DemoFiles(await mkdtemp(path.join(tmpdir(), 'popindex-files-')));
  }

  /** The demo data whose newest month is `month`; of its regions only `us`, which is quicker. */
  async release(month: string): Promise<string> {
    const directory = path.join(this.folder, month);
    await writeDemoRelease(directory, month);
    await edit(directory, 'volumes.csv', (lines) =>
      lines.filter((line, index) => index === 0 || line.split(',')[1] === 'us'),
    );
    return directory;
  }

  /** A copy of a directory in which one file has other lines. */
  async copy(
    directory: string,
    file: string,
    change: (lines: readonly string[]) => readonly string[],
  ): Promise<string> {
    this.copies += 1;
    const copy = `${directory}-copy-${this.copies}`;
    await cp(directory, copy, { recursive: true });
    await edit(copy, file, change);
    return copy;
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

async function edit(
  directory: string,
  file: string,
  change: (lines: readonly string[]) => readonly string[],
): Promise<void> {
  const name = path.join(directory, file);
  const lines = (await readFile(name, 'utf8')).trimEnd().split('\n');
  await writeFile(name, `${change(lines).join('\n')}\n`);
}
