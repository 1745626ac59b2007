import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open as openFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BackupFile } from './manifest.js';

const NEWLINE = 0x0a;

/** A file as it was written, and how many lines it has. */
export interface WrittenFile extends BackupFile {
  readonly lines: number;
}

/**
 * Writes a stream under a temporary name and renames it once its bytes are on the disk: a file that
 * has its name is whole. Only the user who runs this can read it. `open` makes the stream, which is
 * listened to from that moment on: a COPY may fail before its first byte.
 */
export async function writeDurably(
  folder: string,
  file: string,
  open: () => Readable,
  onLines: (count: number) => void = () => undefined,
): Promise<WrittenFile> {
  const target = path.join(folder, ...file.split('/'));
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let [bytes, lines] = [0, 0];
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const count = countLines(chunk);
      hash.update(chunk);
      bytes += chunk.length;
      lines += count;
      onLines(count);
      done(null, chunk);
    },
  });
  const sink = createWriteStream(`${target}.part`, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(open(), meter, sink);
  await rename(`${target}.part`, target);
  return { file, bytes, lines, sha256: hash.digest('hex') };
}

function countLines(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

/** Makes the names in a folder durable, where the system can. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await openFile(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
