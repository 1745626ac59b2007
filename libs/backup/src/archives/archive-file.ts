import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { ArchiveFile } from '#event-log/archive-events.js';
import { DamageError } from '../backup-fault.js';
import { readLines } from '../read-lines.js';
import { parseArchiveLine, type ArchivedEvent } from './archive-line.js';

const NEWLINE = 0x0a;
/** Longer than any line: an event holds at most 1 MiB. */
const LOOK_BYTES = 64 * 1024;

function pathOf(folder: string, { file }: Pick<ArchiveFile, 'file'>): string {
  return path.join(folder, ...file.split('/'));
}

/** Whether the file is there with its length: its bytes are not read. */
export async function isAtHand(folder: string, file: ArchiveFile): Promise<boolean> {
  try {
    return (await stat(pathOf(folder, file))).size === file.bytes;
  } catch {
    return false;
  }
}

/** Reads all bytes of a file. Throws DamageError where they are not those that were archived. */
export async function checkArchiveFile(folder: string, file: ArchiveFile): Promise<void> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(pathOf(folder, file))) hash.update(chunk as Buffer);
  if (hash.digest('hex') === file.sha256) return;
  const reason = 'was changed: its SHA-256 is not that of the log';
  throw new DamageError({ file: file.file, line: null, reason });
}

/** The calls of a file in order, many at a time. Throws DamageError for a line that is none. */
export async function* readArchiveFile(
  folder: string,
  file: Pick<ArchiveFile, 'file'>,
  start = 0,
): AsyncGenerator<readonly ArchivedEvent[]> {
  let count = 0;
  for await (const lines of readLines(pathOf(folder, file), file.file, start)) {
    yield lines.map((line) => {
      count += 1;
      const event = parseArchiveLine(line);
      if (typeof event !== 'string') return event;
      throw new DamageError({ file: file.file, line: start === 0 ? count : null, reason: event });
    });
  }
}

/**
 * Where to begin to read for a position: the offset of its line or of an earlier one. Positions
 * ascend, so it is found by halving.
 */
export async function offsetOf(
  folder: string,
  file: Pick<ArchiveFile, 'file' | 'bytes'>,
  position: number,
): Promise<number> {
  const handle = await open(pathOf(folder, file), 'r');
  try {
    let [low, high] = [0, file.bytes];
    while (high - low > LOOK_BYTES) {
      const middle = Math.floor((low + high) / 2);
      const line = await lineAfter(handle, middle);
      if (line === undefined || line.position > position) high = middle;
      else low = line.offset;
    }
    return low;
  } finally {
    await handle.close();
  }
}

/** The first line that begins behind an offset; undefined: none is near. */
async function lineAfter(
  handle: FileHandle,
  offset: number,
): Promise<{ readonly offset: number; readonly position: number } | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(LOOK_BYTES), 0, LOOK_BYTES, offset);
  const bytes = buffer.subarray(0, bytesRead);
  const start = bytes.indexOf(NEWLINE) + 1;
  const [, position] = /^\{"position":(\d+),/.exec(bytes.toString('latin1', start)) ?? [];
  if (start === 0 || position === undefined) return undefined;
  return { offset: offset + start, position: Number(position) };
}
