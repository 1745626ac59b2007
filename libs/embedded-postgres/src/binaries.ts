import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  /** Major version, as a data folder names it in PG_VERSION. */
  readonly major: string;
}

interface Link {
  readonly source: string;
  readonly target: string;
}

const PLATFORMS: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'windows',
};

function packageFolder(): string {
  const name = `@embedded-postgres/${PLATFORMS[process.platform] ?? process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return path.resolve(path.dirname(entry), '..');
  } catch {
    throw new EmbeddedPostgresError(
      `DATABASE_URL: there is no embedded PostgreSQL for this machine (${name} is not installed); ` +
        'set it to the URL of a PostgreSQL 15 or newer',
    );
  }
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

/**
 * An npm package cannot hold links, and its install script, which would make them, may be
 * switched off. Links that exist are left alone, so that a read-only node_modules serves.
 */
export function linkLibraries(folder: string): void {
  const list = path.join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as Link[]) {
    const link = path.join(folder, target);
    if (isThere(link)) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      // Another process may be making the same links.
      if (isThere(link)) continue;
      throw new EmbeddedPostgresError(
        `the embedded PostgreSQL lacks ${link}, and it cannot be made: ${(error as Error).message}`,
      );
    }
  }
}

/** Finds the PostgreSQL of this platform among the packages. Throws EmbeddedPostgresError. */
export function locateBinaries(): Binaries {
  const folder = packageFolder();
  linkLibraries(folder);
  const manifest = readFileSync(path.join(folder, 'package.json'), 'utf8');
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const binary = (name: string) => path.join(folder, 'native', 'bin', name + suffix);
  return {
    initdb: binary('initdb'),
    postgres: binary('postgres'),
    pgCtl: binary('pg_ctl'),
    major: String((JSON.parse(manifest) as { version: string }).version.split('.')[0]),
  };
}
