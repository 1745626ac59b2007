import { readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolder } from '#embedded-postgres/make-folder.js';
import {
  isMarkAlive,
  markOfThisProcess,
  type ProcessMark,
} from '#embedded-postgres/process-facts.js';
import { writeWhole } from '#embedded-postgres/write-whole.js';
import type { Configuration } from '#web/configuration.js';

type Addresses = Pick<Configuration, 'host' | 'apiPort' | 'accountingPort' | 'portalPort'>;

/** A service that lives, and where it listens. */
export interface RunningService extends ProcessMark {
  /** Whether it has come up. */
  readonly is_ready: boolean;
  /** As settings of a command beside it. */
  readonly settings: Readonly<
    Record<'HOST' | 'API_PORT' | 'ACCOUNTING_PORT' | 'PORTAL_PORT', string>
  >;
}

const POLL_MS = 100;
/** The first start of a slow machine writes the demo. */
const START_MS_MAX = 180_000;

/** Holds where the service of a data folder listens, for commands beside it. */
export function serviceFile(dataDir: string): string {
  return path.join(dataDir, 'service.json');
}

/** The service that lives with a data folder; undefined: none, or the file is a killed one's. */
export function runningService(dataDir: string): RunningService | undefined {
  try {
    const service = JSON.parse(readFileSync(serviceFile(dataDir), 'utf8')) as RunningService;
    return isMarkAlive(service) ? service : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes into DATA_DIR where this process will listen, until it ends. Returns what to call once it
 * has come up. Nothing is written where another service lives, or where the folder takes no files:
 * a start that needs the folder reports that.
 */
export function announceService({ dataDir, ...addresses }: Configuration): () => void {
  if (runningService(dataDir) !== undefined) return () => undefined;
  const mark = markOfThisProcess();
  const write = (isReady: boolean) => {
    tryTo(() =>
      writeService(dataDir, { ...mark, is_ready: isReady, settings: settingsOf(addresses) }),
    );
  };
  write(false);
  process.once('exit', () => {
    if (runningService(dataDir)?.pid === process.pid) {
      tryTo(() => rmSync(serviceFile(dataDir), { force: true }));
    }
  });
  return () => write(true);
}

/**
 * Waits for a service that starts. `onWait` is called once if that takes time. Undefined: there is
 * none, or it has ended; one that is not ready did not come up in time.
 */
export async function startedService(
  dataDir: string,
  onWait: (service: RunningService) => void,
): Promise<RunningService | undefined> {
  const deadline = performance.now() + START_MS_MAX;
  for (let waits = false; ; waits = true) {
    const service = runningService(dataDir);
    if (service === undefined || service.is_ready || performance.now() >= deadline) return service;
    if (!waits) onWait(service);
    await delay(POLL_MS);
  }
}

function settingsOf({ host, apiPort, accountingPort, portalPort }: Addresses) {
  return {
    HOST: host,
    API_PORT: String(apiPort),
    ACCOUNTING_PORT: String(accountingPort),
    PORTAL_PORT: String(portalPort),
  };
}

function writeService(dataDir: string, service: RunningService): void {
  makeFolder(dataDir);
  const draft = `${serviceFile(dataDir)}.${process.pid}`;
  rmSync(draft, { force: true });
  writeWhole(draft, `${JSON.stringify(service, null, 2)}\n`);
  renameSync(draft, serviceFile(dataDir));
}

/** Commands do without the file where it cannot be written. */
function tryTo(work: () => void): void {
  try {
    work();
  } catch {
    // See above.
  }
}
