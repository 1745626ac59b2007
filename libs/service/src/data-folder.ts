import { chmodSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { StartupError } from '#web/startup-error.js';
import type { Log } from '#web/log.js';

const WRITABLE_BY_OTHERS = 0o022;
const OPEN_TO_OTHERS = 0o077;
const STICKY = 0o1000;
/** Secrets, the embedded database, and calls under way. */
const OWN = /-(?:token|key|password)$|^postgres|^un(?:answered|settled)-/;

interface DataFolderParts {
  readonly dataDir: string;
  /** Whether secrets and the database are in it: nothing starts while others can reach them. */
  readonly holdsSecrets: boolean;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Closes DATA_DIR to other users of the machine: nobody else writes in it or reads what is the
 * service's in it. What was open is closed, with a line in the log. Throws StartupError where that
 * is not possible and secrets are in it, and for a file in the place of the folder.
 */
export function closeDataFolder({ dataDir, holdsSecrets, log }: DataFolderParts): void {
  if (isFile(dataDir)) throw new StartupError(`DATA_DIR: ${dataDir} is a file; it takes a folder`);
  // Windows has no such modes.
  if (process.platform === 'win32') return;
  const entries = [{ file: dataDir, open: WRITABLE_BY_OTHERS }, ...ownEntries(dataDir)];
  for (const { file, open } of entries) {
    const mode = modeOf(file);
    if (mode === undefined || (mode & open) === 0) continue;
    const fault = close(file, mode, open);
    const what = `${file} was open to other users (mode ${(mode & 0o777).toString(8)})`;
    if (fault === undefined) {
      log.warn(
        { file },
        `${what}. It is closed now. If others use this machine, renew its secrets.`,
      );
    } else if (holdsSecrets) {
      throw new StartupError(`DATA_DIR: ${what}, and ${fault}`);
    } else log.warn({ file }, `${what}, and ${fault}`);
  }
}

/** Warns of a private key that other users of the machine can read. */
export function warnOfOpenKey(setting: string, file: string | undefined, log: Pick<Log, 'warn'>) {
  const mode = file === undefined ? undefined : modeOf(file);
  if (process.platform === 'win32' || mode === undefined || (mode & 0o007) === 0) return;
  log.warn({ file }, `${setting}: every user of this machine can read the private key: close it.`);
}

function ownEntries(dataDir: string) {
  return namesIn(dataDir)
    .filter((name) => OWN.test(name))
    .map((name) => ({ file: path.join(dataDir, name), open: OPEN_TO_OTHERS }));
}

/** Names of a folder; none where it is made later or cannot be used: who uses it reports that. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isFile(file: string): boolean {
  try {
    return !statSync(file).isDirectory();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR';
  }
}

/** Undefined: it cannot be looked at. */
function modeOf(file: string): number | undefined {
  try {
    return statSync(file).mode;
  } catch {
    return undefined;
  }
}

/** Undefined: it is closed. */
function close(file: string, mode: number, open: number): string | undefined {
  // A folder for everybody, such as /tmp, must stay one.
  if ((mode & STICKY) !== 0) return 'is a folder for all users: take one of your own';
  try {
    chmodSync(file, mode & 0o7777 & ~open);
    return undefined;
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    return `this user cannot close it (${code}): chmod ${(mode & ~open & 0o777).toString(8)} it`;
  }
}
