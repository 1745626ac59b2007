import { createReadStream } from 'node:fs';
import { DamageError } from './backup-fault.js';

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/**
 * The lines of a file, as many at a time as one reading holds. Throws DamageError when the last one
 * does not end. `name` is what the fault calls the file; `start`: the offset of the first line.
 */
export async function* readLines(path: string, name: string, start = 0): AsyncGenerator<string[]> {
  let rest: Buffer[] = [];
  let lines = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES, start })) {
    const bytes = chunk as Buffer;
    const end = bytes.lastIndexOf(NEWLINE);
    if (end < 0) {
      rest.push(bytes);
      continue;
    }
    const text = Buffer.concat([...rest, bytes.subarray(0, end)]).toString('utf8');
    rest = end + 1 < bytes.length ? [bytes.subarray(end + 1)] : [];
    const read = text.split('\n');
    lines += read.length;
    yield read;
  }
  if (rest.length > 0) throw new DamageError({ file: name, line: lines + 1, reason: 'is cut off' });
}
