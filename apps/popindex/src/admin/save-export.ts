import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StartupError } from '#web/startup-error.js';

/**
 * Writes a file that is there whole or not at all, and that only the user who runs this can read,
 * also where there was another one before. A device or a pipe is written to as it is. Throws
 * StartupError.
 */
export async function saveExport(body: Response['body'], file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found !== undefined && !found.isFile() && !found.isDirectory()) {
    return pipeline(Readable.fromWeb(body as never), createWriteStream(file));
  }
  const part = `${file}.part`;
  try {
    // What a killed command has left, or somebody else has put there, would keep its own mode.
    await rm(part, { force: true });
    const sink = createWriteStream(part, { flags: 'wx', mode: 0o600 });
    await pipeline(Readable.fromWeb(body as never), sink);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    const reason = (error as Error).message;
    throw new StartupError(`popindex: the export broke off, and nothing was kept: ${reason}`, {
      cause: error,
    });
  }
}
