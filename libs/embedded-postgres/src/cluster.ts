import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import type { RunAs } from './run-as.js';
import { serverEnvironment } from './settings.js';
import { writeWhole } from './write-whole.js';

/** Owns the log and every right; migrations and restores connect as this user. */
export const DATABASE_USER = 'popindex';

export function clusterFolder(dataDir: string): string {
  return path.join(dataDir, 'postgres');
}

function passwordFile(dataDir: string): string {
  return path.join(dataDir, 'postgres-password');
}

function readPassword(dataDir: string): string {
  try {
    return readFileSync(passwordFile(dataDir), 'utf8').trim();
  } catch (error) {
    throw new EmbeddedPostgresError(
      `DATA_DIR: the password of the database in ${dataDir} cannot be read: ${(error as Error).message}`,
    );
  }
}

function checkVersion(cluster: string, binaries: Binaries): void {
  const major = readFileSync(path.join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (major === binaries.major) return;
  throw new EmbeddedPostgresError(
    `DATA_DIR: ${cluster} was made by PostgreSQL ${major}, and this program brings ${binaries.major}; ` +
      'use the release that made it or move the data by dump and restore',
  );
}

function initdbArguments(draft: string, password: string): string[] {
  return [
    `--pgdata=${draft}`,
    `--username=${DATABASE_USER}`,
    `--pwfile=${password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Text sorts by code point, the same on every machine.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ];
}

/** Made beside and moved into place, so that a killed first start leaves no half of a cluster. */
async function createCluster(dataDir: string, binaries: Binaries, runAs: RunAs): Promise<void> {
  const draft = `${clusterFolder(dataDir)}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  runAs.give(draft);
  const file = passwordFile(dataDir);
  rmSync(file, { force: true });
  writeWhole(file, `${randomBytes(24).toString('base64url')}\n`);
  runAs.give(file);
  const [program, args] = runAs.command(binaries.initdb, initdbArguments(draft, file));
  try {
    await promisify(execFile)(program, args, {
      ...runAs.ids,
      cwd: dataDir,
      env: serverEnvironment(),
    });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const reason = (stderr ?? message).trim().split('\n').slice(-1)[0] ?? message;
    rmSync(draft, { recursive: true, force: true });
    throw new EmbeddedPostgresError(`DATA_DIR: no database can be made in ${dataDir}: ${reason}`);
  }
  renameSync(draft, clusterFolder(dataDir));
}

/** Makes the cluster on the first run. Returns the password of DATABASE_USER. */
export async function ensureCluster(
  dataDir: string,
  binaries: Binaries,
  runAs: RunAs,
): Promise<string> {
  const cluster = clusterFolder(dataDir);
  if (!existsSync(path.join(cluster, 'PG_VERSION'))) await createCluster(dataDir, binaries, runAs);
  checkVersion(cluster, binaries);
  return readPassword(dataDir);
}
