// One PostgreSQL for the whole run; every suite makes databases of its own in it.
const { mkdtempSync, readdirSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const PREFIX = 'popindex-test-run-';

/** A run that was killed leaves its server and its folder behind. */
async function clearAfterKilledRuns(modules) {
  const { livingOwner } = await import(`${modules}embedded-postgres/owner-lock.js`);
  const { stopOrphan } = await import(`${modules}embedded-postgres/postmaster.js`);
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

async function findChromium() {
  const { foundChromium } = await import('../browser/found-chromium.mjs');
  process.env.CHROMIUM_PATH = foundChromium() ?? '';
  if (process.env.CHROMIUM_PATH !== '') return;
  process.stderr.write('No Chromium: tests in a browser are skipped. CHROMIUM_PATH names one.\n');
}

module.exports = async function globalSetup() {
  const { strippedModules } = await import('./stripped-modules.mjs');
  const modules = strippedModules(['embedded-postgres', 'web']);
  process.env.TEST_MODULES = modules;
  await findChromium();
  process.env.TEST_DATABASE_URL ||= process.env.DATABASE_URL ?? '';
  if (process.env.TEST_DATABASE_URL !== '') return;
  await clearAfterKilledRuns(modules);
  const dataDir = mkdtempSync(path.join(tmpdir(), PREFIX));
  const { EmbeddedPostgres } = await import(`${modules}embedded-postgres/embedded-postgres.js`);
  const postgres = await EmbeddedPostgres.start({ dataDir });
  process.env.TEST_DATABASE_URL = postgres.url;
  globalThis.stopTestDatabase = async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
};
