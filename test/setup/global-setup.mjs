// One PostgreSQL for the whole run; every suite makes databases of its own in it.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { embeddedPostgresModules } from './embedded-postgres-module.mjs';

const PREFIX = 'popindex-test-run-';

/** A run that was killed leaves its server and its folder behind. */
async function clearAfterKilledRuns(modules) {
  const { livingOwner } = await import(`${modules}owner-lock.js`);
  const { stopOrphan } = await import(`${modules}postmaster.js`);
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = path.join(tmpdir(), name);
    try {
      if (readdirSync(folder).length === 0 || livingOwner(folder) !== undefined) continue;
      await stopOrphan(path.join(folder, 'postgres'));
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Somebody else's folder, or another run is clearing it: not this run's business.
    }
  }
}

export default async function globalSetup() {
  const modules = embeddedPostgresModules();
  process.env.TEST_EMBEDDED_POSTGRES_MODULES = modules;
  process.env.TEST_DATABASE_URL ??= process.env.DATABASE_URL;
  if (process.env.TEST_DATABASE_URL) return;
  await clearAfterKilledRuns(modules);
  const dataDir = mkdtempSync(path.join(tmpdir(), PREFIX));
  const { EmbeddedPostgres } = await import(`${modules}embedded-postgres.js`);
  const postgres = await EmbeddedPostgres.start({ dataDir });
  process.env.TEST_DATABASE_URL = postgres.url;
  globalThis.stopTestDatabase = async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
