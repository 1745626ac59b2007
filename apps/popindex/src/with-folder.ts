import { stat } from 'node:fs/promises';
import { runCommand } from '#web/run-main.js';
import { StartupError } from '#web/startup-error.js';

/** Reports a mistyped folder, and that nothing was done, before it looks for a database. */
export async function withFolder(
  folder: string,
  nothing: string,
  work: () => Promise<void>,
): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() === true) return work();
  const what = found === null ? 'is not there' : 'is not a folder';
  return runCommand('popindex', () => {
    throw new StartupError(`popindex: ${folder} ${what}; ${nothing}`);
  });
}
