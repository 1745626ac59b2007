import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, statSync } from 'node:fs';
import path from 'node:path';

/** How to start a program of PostgreSQL, which refuses to run as root. */
export interface RunAs {
  readonly mode: 'self' | 'namespace' | 'user';
  command(program: string, args: readonly string[]): [program: string, args: string[]];
  readonly ids: { readonly uid?: number; readonly gid?: number };
  /** Hands a file or folder that this process made to the user PostgreSQL runs as. */
  give(file: string): void;
}

/** `nobody` on Debian, Red Hat and Alpine; any id without a right would do. */
const UNPRIVILEGED_ID = 65_534;
const UNSHARE = ['--user', '--map-user=1000', '--map-group=1000'];

function plain(program: string, args: readonly string[]): [string, string[]] {
  return [program, [...args]];
}

function asUser(uid: number, gid: number, dataDir: string): RunAs {
  // PostgreSQL must be able to walk through the folder; the files in it are closed one by one.
  chmodSync(dataDir, statSync(dataDir).mode | 0o011);
  return {
    mode: 'user',
    command: plain,
    ids: { uid, gid },
    give: (file) => chownSync(file, uid, gid),
  };
}

const SELF: RunAs = { mode: 'self', command: plain, ids: {}, give: () => undefined };

/** Root outside, user 1000 inside: what PostgreSQL writes still belongs to root. */
const NAMESPACE: RunAs = {
  mode: 'namespace',
  command: (program, args) => ['unshare', [...UNSHARE, program, ...args]],
  ids: {},
  give: () => undefined,
};

function canUnshare(): boolean {
  return spawnSync('unshare', [...UNSHARE, 'true'], { stdio: 'ignore' }).status === 0;
}

/**
 * An ordinary user runs PostgreSQL as is. Root runs it in a user namespace or, where that is
 * forbidden, as an unprivileged user. A data folder keeps the owner it was made with.
 */
export function chooseRunAs(dataDir: string, cluster: string): RunAs {
  if (process.getuid?.() !== 0) return SELF;
  const made = statSync(cluster, { throwIfNoEntry: false });
  if (made !== undefined && made.uid !== 0)
    return asUser(made.uid, made.gid, path.resolve(dataDir));
  if (canUnshare()) return NAMESPACE;
  return asUser(UNPRIVILEGED_ID, UNPRIVILEGED_ID, path.resolve(dataDir));
}
