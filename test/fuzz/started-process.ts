import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FuzzedService } from './operator.js';

const MAIN = 'dist/apps/standalone/src/main.js';
const ADMIN_TOKEN = 'an-admin-token-of-the-fuzzer-0123456789';

interface Started {
  readonly service: FuzzedService;
  /** Stops it and removes its database. */
  readonly stop: () => Promise<void>;
}

/** Starts the built service with an embedded database of its own, in the project's folder. */
export async function startFuzzedService(): Promise<Started> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'popindex-fuzz-'));
  const { PATH = '', HOME = '' } = process.env;
  const ports = { API_PORT: '0', ACCOUNTING_PORT: '0', PORTAL_PORT: '0' };
  const settings = { DATA_DIR: dataDir, ADMIN_TOKEN, LOG_LEVEL: 'warn', ...ports };
  // With npm's variable it ends when this process does.
  const child = spawn(process.execPath, ['--max-semi-space-size=16', MAIN], {
    env: { PATH, HOME, npm_lifecycle_event: 'fuzz', ...settings },
    detached: true,
  });
  let printed = '';
  const ready = new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      printed += chunk.toString();
      if (printed.includes('Ready.')) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('close', () => reject(new Error(`The service ended:\n${printed}`)));
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'close');
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await ready;
  } catch (error) {
    await stop();
    throw error;
  }
  const address = (pattern: RegExp): string => pattern.exec(printed)?.[1] ?? '';
  const service = {
    apiUrl: address(/^Public API +(\S+)/m),
    adminUrl: address(/^Admin REST +(\S+)\/admin\/v1/m),
    adminToken: ADMIN_TOKEN,
    pid: child.pid ?? 0,
    output: () => printed,
  };
  return { service, stop };
}
