import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { closeDataFolder, warnOfOpenKey } from './data-folder.js';

let dataDir: string;
let warnings: string[];
const log = { warn: (_: object, text?: string) => void warnings.push(text ?? '') };

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'data-folder-'));
  warnings = [];
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const at = (name: string) => path.join(dataDir, name);
const modeOf = (file: string) => statSync(file).mode & 0o7777;
const close = (holdsSecrets = true) => closeDataFolder({ dataDir, holdsSecrets, log });

function open(name: string, mode: number): void {
  writeFileSync(at(name), 'secret');
  chmodSync(at(name), mode);
}

test('secrets that others can read are closed, each with a line', () => {
  open('admin-token', 0o644);
  open('webhook-key', 0o640);
  open('postgres-password', 0o604);
  open('postgres.json', 0o666);
  mkdirSync(at('postgres'));
  chmodSync(at('postgres'), 0o777);
  close();
  const names = ['admin-token', 'webhook-key', 'postgres-password', 'postgres.json'];
  expect(names.map((name) => modeOf(at(name)))).toEqual([0o600, 0o600, 0o600, 0o600]);
  expect(modeOf(at('postgres'))).toBe(0o700);
  expect(warnings).toHaveLength(5);
  expect(warnings.join('\n')).toMatch(/admin-token was open to other users \(mode 644\)/);
});

test.each([
  [0o777, 0o755],
  [0o770, 0o750],
  [0o775, 0o755],
  [0o2770, 0o2750],
])('a folder of mode %o that others can write in gets mode %o', (mode, closed) => {
  chmodSync(dataDir, mode);
  close();
  expect(modeOf(dataDir)).toBe(closed);
  expect(warnings).toEqual([expect.stringContaining('was open to other users')]);
});

test.each([0o700, 0o711, 0o755])('a folder of mode %o stays as it is, without a word', (mode) => {
  chmodSync(dataDir, mode);
  open('admin-token', 0o600);
  open('notes.txt', 0o644);
  close();
  expect([modeOf(dataDir), modeOf(at('notes.txt'))]).toEqual([mode, 0o644]);
  expect(warnings).toEqual([]);
});

test('a folder for all users is no place for secrets, and is not closed to them', () => {
  chmodSync(dataDir, 0o1777);
  expect(() => close()).toThrow(/^DATA_DIR: .*\(mode 777\), and is a folder for all users/);
  close(false);
  expect(modeOf(dataDir)).toBe(0o1777);
  expect(warnings).toEqual([expect.stringContaining('is a folder for all users')]);
});

test.each([true, false])('a file in its place is refused, with secrets (%s) or without', (has) => {
  open('file', 0o600);
  for (const folder of [at('file'), path.join(at('file'), 'data')]) {
    expect(() => closeDataFolder({ dataDir: folder, holdsSecrets: has, log })).toThrow(
      `DATA_DIR: ${folder} is a file; it takes a folder`,
    );
  }
  expect(warnings).toEqual([]);
});

test('a folder that is not there yet is nobody else’s', () => {
  rmSync(dataDir, { recursive: true });
  close();
  expect(warnings).toEqual([]);
});

test('a private key that every user can read is a warning', () => {
  for (const mode of [0o600, 0o640, 0o644]) {
    open('tls.pem', mode);
    warnOfOpenKey('CHARGING_TLS_KEY', at('tls.pem'), log);
  }
  warnOfOpenKey('CHARGING_TLS_KEY', undefined, log);
  expect(warnings).toEqual([expect.stringContaining('CHARGING_TLS_KEY: every user')]);
});
