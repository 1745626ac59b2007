import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '#embedded-postgres/free-port.js';
import { Child } from './child.js';
import type { SampleAnswer } from './sample-answers.js';
import type { BenchmarkDatabase, Stage } from './stage.js';

/** One way to serve the public API, running. */
export interface Server {
  readonly name: string;
  readonly url: string;
  /** All of its processes, without the database. */
  readonly processes: readonly Child[];
}

/** One that has an admin REST. */
export interface AdministeredServer extends Server {
  readonly adminUrl: string;
}

export const ADMIN_TOKEN = 'an-admin-token-of-the-benchmark-0123456789';
export const CHARGING_SECRET = 'a-charging-secret-of-the-benchmark-0123456789';

const API = /Public API {3}(http\S+)[^]*Ready\./;
const ADMIN = /Admin REST {3}(http\S+)\/admin\/v1/;
const READY_POLL_MS = 20;
const ANY_PORTS = { API_PORT: '0', ACCOUNTING_PORT: '0', PORTAL_PORT: '0', CHARGING_PORT: '0' };

/** Settings of any process of the service on a database of the stage. */
export async function settingsOn(
  stage: Stage,
  { url }: BenchmarkDatabase,
): Promise<Record<string, string>> {
  return { DATABASE_URL: url, DATA_DIR: await stage.folder(), ADMIN_TOKEN, ...ANY_PORTS };
}

/** Everything in one process, with the demo data. `checkout`: by another build than this one. */
export async function startWhole(
  stage: Stage,
  database: BenchmarkDatabase,
  name: string,
  checkout?: string,
): Promise<AdministeredServer> {
  const settings = { ...(await settingsOn(stage, database)), DEMO: 'true' };
  const program = 'apps/standalone/src/main.js';
  const process = Child.startService(stage.shutdown, program, settings, checkout);
  const url = await process.printed(API);
  return { name, url, adminUrl: await process.printed(ADMIN), processes: [process] };
}

/** The API alone, on a database that holds data: its calls are charged by nobody. */
export async function startUnmetered(
  stage: Stage,
  database: BenchmarkDatabase,
  name: string,
): Promise<Server> {
  const settings = await settingsOn(stage, database);
  const process = Child.startService(stage.shutdown, 'bench/unmetered-api.js', settings);
  return { name, url: await process.printed(API), processes: [process] };
}

/** Bare `node:http` in one thread, with the bytes and headers of another server's answers. */
export async function startBare(stage: Stage, answers: readonly SampleAnswer[]): Promise<Server> {
  const file = path.join(await stage.folder(), 'answers.json');
  await writeFile(file, JSON.stringify(answers));
  const process = Child.startService(stage.shutdown, 'bench/bare-server.js', {
    BARE_ANSWERS: file,
  });
  return { name: 'bare', url: await process.printed(API), processes: [process] };
}

/** An accounting process. `chargingUrl` is where it takes charges. */
export interface AccountingProcess {
  readonly process: Child;
  readonly adminUrl: string;
  readonly chargingUrl: string;
}

export async function startAccountingProcess(
  stage: Stage,
  database: BenchmarkDatabase,
): Promise<AccountingProcess> {
  const [admin, charging] = [await freePort(), await freePort()];
  const settings = {
    ...(await settingsOn(stage, database)),
    CHARGING_SECRET,
    ACCOUNTING_PORT: String(admin),
    CHARGING_PORT: String(charging),
    PORTAL_PORT: '0',
  };
  const process = Child.startService(stage.shutdown, 'apps/accounting/src/main.js', settings);
  const adminUrl = `http://127.0.0.1:${admin}`;
  await untilReady(process, adminUrl);
  return { process, adminUrl, chargingUrl: `tcp://127.0.0.1:${charging}` };
}

/** API and accounting as processes of their own, on a database that holds data. */
export async function startSplit(
  stage: Stage,
  database: BenchmarkDatabase,
  name: string,
): Promise<AdministeredServer> {
  const accounting = await startAccountingProcess(stage, database);
  const port = await freePort();
  const settings = {
    ...(await settingsOn(stage, database)),
    CHARGING_SECRET,
    CHARGING_URLS: accounting.chargingUrl,
    API_PORT: String(port),
  };
  const api = Child.startService(stage.shutdown, 'apps/api/src/main.js', settings);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(api, url);
  return { name, url, adminUrl: accounting.adminUrl, processes: [api, accounting.process] };
}

/** Resolves when a process can serve. Throws when it ends before. */
async function untilReady(child: Child, url: string): Promise<void> {
  while (!(await isReady(url))) {
    if (child.hasEnded) throw new Error(`It ended before it was ready:\n${child.output}`);
    await delay(READY_POLL_MS);
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}
