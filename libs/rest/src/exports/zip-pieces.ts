import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** A file in an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly body: Uint8Array;
  /** Its date, `2026-11-01`. */
  readonly date: string;
}

/** A PDF is compressed inside, and would not become smaller. */
const COMPRESSED = /\.pdf$/;

/** Whether a file stands in an archive as it is. */
export function isStored(name: string): boolean {
  return COMPRESSED.test(name);
}

const READABLE_BY_ALL = 0o100644;

/**
 * A ZIP as it is made: the next file is asked for when the one before is in the archive, and
 * nothing is made that nobody reads. Throws what the files throw.
 */
export async function* zipPieces(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const gone = new AbortController();
  output.once('close', () => gone.abort());
  const filling = fill(zip, entries, gone.signal).catch((error: unknown) => {
    if (!gone.signal.aborted) output.destroy(error as Error);
  });
  try {
    for await (const piece of output) yield piece as Uint8Array;
  } finally {
    output.destroy();
    await filling;
  }
}

async function fill(
  zip: ZipFile,
  entries: AsyncIterable<ZipEntry>,
  signal: AbortSignal,
): Promise<void> {
  for await (const { name, body, date } of entries) {
    const content = Readable.from([body]);
    const taken = once(content, 'close', { signal });
    const options = {
      compress: !isStored(name),
      mtime: new Date(`${date}T12:00:00`),
      forceDosTimestamp: true,
      mode: READABLE_BY_ALL,
      size: body.length,
    };
    zip.addReadStreamLazy(name, options, (answer) => answer(null, content));
    await taken;
  }
  zip.end();
}
