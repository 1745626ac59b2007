// One PostgreSQL for the whole run; every suite makes databases of its own in it.
const {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
} = require('node:fs');
const { randomBytes } = require('node:crypto');
const { constants, freemem, tmpdir } = require('node:os');
const { setTimeout: pause } = require('node:timers/promises');
const path = require('node:path');
const { Client } = require('pg');

const PREFIX = 'popindex-test-run-';
const DATABASE = 'database';
/** Most bytes that a run takes on its disk. */
const ROOM = 4e9;
const IN_MEMORY = '/dev/shm';
const DAY_MS = 86_400_000;
/** Longer than a run takes. */
const RUN_MS = 15 * 60_000;

/**
 * Where a run keeps its databases and files: in memory if there is plenty, because they need not
 * outlive the machine, and a database is made there in a tenth of the time.
 */
function disk() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (bavail * bsize > ROOM && freemem() > 2 * ROOM) return IN_MEMORY;
  } catch {
    // This system has none.
  }
  return tmpdir();
}

/** A run that was killed leaves its server and its folder behind. */
async function clearAfterKilledRuns(modules, parent) {
  const { livingOwner } = await import(`${modules}embedded-postgres/owner-lock.js`);
  const { stopOrphan } = await import(`${modules}embedded-postgres/postmaster.js`);
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = path.join(parent, name);
    const dataDir = path.join(folder, DATABASE);
    try {
      // Without a lock another run is making it at this moment.
      if (!existsSync(path.join(dataDir, 'owner.lock')) || livingOwner(dataDir) !== undefined)
        continue;
      await stopOrphan(path.join(dataDir, 'postgres'));
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Somebody else's folder, or another run is clearing it: not this run's business.
    }
  }
}

/**
 * Stories live in real time: a day, week or month that turned in the middle of one would change
 * what it sees. A whole run waits for a midnight that it would meet; UTC is the zone of all.
 */
async function passMidnight() {
  const now = Date.now();
  const leftMs = DAY_MS - (now % DAY_MS);
  if (process.env.CI === undefined || leftMs > RUN_MS) return;
  process.stderr.write(
    `The tests begin after midnight (UTC), in ${Math.ceil(leftMs / 60_000)} min.\n`,
  );
  await pause(leftMs + 1_000);
}

async function findChromium() {
  const { foundChromium } = await import('../browser/found-chromium.mjs');
  process.env.CHROMIUM_PATH = foundChromium() ?? '';
  if (process.env.CHROMIUM_PATH !== '') return;
  process.stderr.write('No Chromium: tests in a browser are skipped. CHROMIUM_PATH names one.\n');
}

async function withClient(url, work) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Servers of the cluster beside the given one; none: it is a plain PostgreSQL. */
async function workerUrls() {
  const url = process.env.TEST_DATABASE_URL;
  const nodes = await withClient(url, async (client) => {
    const { rows } = await client.query("select to_regclass('pg_dist_node') is not null as known");
    if (!rows[0].known) return [];
    const text = 'select nodename, nodeport from pg_dist_node where groupid > 0';
    return (await client.query(text)).rows;
  });
  return nodes.map(
    ({ nodename, nodeport }) =>
      Object.assign(new URL(url), { hostname: nodename, port: nodeport }).href,
  );
}

/** Suites run on a plain PostgreSQL by groups, too; a cluster they need for the rest. */
async function sayWithoutCluster() {
  if ((await workerUrls()).length > 0) return;
  process.stderr.write('No Citus: tests of a cluster are skipped. TEST_DATABASE_URL names one.\n');
}

/** The demo is written once in a run, for that run: a server that stays must not keep it. */
async function removeDemo() {
  const name = `popindex_demo_${process.env.TEST_RUN}`;
  for (const url of [process.env.TEST_DATABASE_URL, ...(await workerUrls())]) {
    await withClient(url, (client) => client.query(`drop database if exists ${name} with (force)`));
  }
  rmSync(path.join(tmpdir(), name), { recursive: true, force: true });
}

/** A run that is interrupted takes its server and its folder with it. */
function endInOrder() {
  let ending;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal signals this process too, beside the one that has started it.
      ending ??= globalThis.stopTestDatabase().finally(() => {
        process.exit(128 + constants.signals[signal]);
      });
    });
  }
}

module.exports = async function globalSetup() {
  const { strippedModules } = await import('./stripped-modules.mjs');
  const modules = strippedModules(['embedded-postgres', 'web']);
  process.env.TEST_MODULES = modules;
  process.env.TEST_RUN = randomBytes(4).toString('hex');
  await passMidnight();
  await findChromium();
  process.env.TEST_DATABASE_URL ||= process.env.DATABASE_URL ?? '';
  globalThis.stopTestDatabase = removeDemo;
  if (process.env.TEST_DATABASE_URL !== '') return sayWithoutCluster();
  const parent = disk();
  await clearAfterKilledRuns(modules, parent);
  const folder = mkdtempSync(path.join(parent, PREFIX));
  chmodSync(folder, 0o755);
  const { EmbeddedPostgres } = await import(`${modules}embedded-postgres/embedded-postgres.js`);
  const postgres = await EmbeddedPostgres.start({ dataDir: path.join(folder, DATABASE) });
  process.env.TEST_DATABASE_URL = postgres.url;
  await sayWithoutCluster();
  // Tests make their own folders there, too.
  process.env.TMPDIR = path.join(folder, 'tmp');
  mkdirSync(process.env.TMPDIR);
  globalThis.stopTestDatabase = async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  endInOrder();
};
