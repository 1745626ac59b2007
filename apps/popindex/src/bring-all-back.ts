import { ArchiveRefusedError, bringBackCalls } from '#backup/archives/archive-calls.js';
import { standingArchives } from '#event-log/standing-archives.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { StartupError } from '#web/startup-error.js';
import { withPatience } from './log-tool-work.js';

/**
 * Puts the data of all archived calls back into a log that was just restored. Throws StartupError
 * where a file is not at hand: the log is restored then, and waits for it.
 */
export async function bringAllBack(url: string, folder: string): Promise<void> {
  await withPatience(url, async (pool) => {
    const standing = await standingArchives(pool);
    if (standing.length === 0) return;
    const system = new SystemStream(new PostgresEventLog(pool));
    try {
      await bringBackCalls({ pool, system, folder, now: () => Date.now() }, standing);
    } catch (error) {
      if (!(error instanceof ArchiveRefusedError)) throw error;
      const text =
        `The log is restored, but calls in it are archived: ${error.message} Put all archives there, ` +
        'and run `popindex archive --bring-back all` before anything is started.';
      throw new StartupError(text, { cause: error });
    }
  });
}
