import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfiguration } from '#web/configuration.js';
import { announceService, runningService, serviceFile, startedService } from './running-service.js';

let dataDir: string;
let before: ReadonlySet<unknown>;

/** Work of a service at the end of its process. */
const ownListeners = () => process.listeners('exit').filter((one) => !before.has(one));

beforeEach(() => {
  before = new Set(process.listeners('exit'));
  dataDir = mkdtempSync(path.join(tmpdir(), 'running-service-'));
});

afterEach(() => {
  for (const listener of ownListeners()) process.removeListener('exit', listener);
  rmSync(dataDir, { recursive: true, force: true });
});

function announce(port: string, folder = dataDir): () => void {
  const ports = { ACCOUNTING_PORT: port, API_PORT: '4000', PORTAL_PORT: '4003' };
  return announceService(readConfiguration('standalone', { DATA_DIR: folder, ...ports }));
}

const ignore = (): void => undefined;

test('a service says where it listens, and since when it can be asked', () => {
  const announceReady = announce('4001');
  const settings = {
    HOST: '127.0.0.1',
    API_PORT: '4000',
    ACCOUNTING_PORT: '4001',
    PORTAL_PORT: '4003',
  };
  expect(runningService(dataDir)).toMatchObject({ pid: process.pid, is_ready: false, settings });
  announceReady();
  expect(runningService(dataDir)).toMatchObject({ is_ready: true, settings });
});

test('its file goes with it', () => {
  announce('4001');
  for (const listener of ownListeners()) listener(0);
  expect(existsSync(serviceFile(dataDir))).toBe(false);
});

test.each<[string, string]>([
  ['of a process that was killed', JSON.stringify({ pid: 2 ** 22 + 1, started: null })],
  [
    'whose process id another process has now',
    JSON.stringify({ pid: process.pid, started: 'another moment' }),
  ],
  ['that is half', '{"pid":'],
])('a file %s is nobody, and is written again', async (_what, text) => {
  writeFileSync(serviceFile(dataDir), text);
  expect(runningService(dataDir)).toBeUndefined();
  expect(await startedService(dataDir, ignore)).toBeUndefined();
  announce('4001');
  expect(runningService(dataDir)?.pid).toBe(process.pid);
});

test('of two services with one folder the first is found', () => {
  announce('4001')();
  const before = readFileSync(serviceFile(dataDir), 'utf8');
  announce('5001')();
  expect(readFileSync(serviceFile(dataDir), 'utf8')).toBe(before);
});

test('where no file can be written, the start goes on', () => {
  const file = path.join(dataDir, 'file');
  writeFileSync(file, '');
  expect(() => announce('4001', file)()).not.toThrow();
  expect(runningService(file)).toBeUndefined();
});

test('one that starts is waited for, with a word', async () => {
  const announceReady = announce('4001');
  const said: number[] = [];
  const waiting = startedService(dataDir, ({ pid }) => {
    said.push(pid);
    announceReady();
  });
  expect(await waiting).toMatchObject({ is_ready: true });
  expect(said).toEqual([process.pid]);
});
