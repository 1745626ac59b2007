import { mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { linkLibraries } from './binaries.js';

let folder: string;
const link = () => path.join(folder, 'native/lib/libpq.so');

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'popindex-binaries-'));
  mkdirSync(path.join(folder, 'native/lib'), { recursive: true });
  const list = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' }];
  writeFileSync(path.join(folder, 'native/pg-symlinks.json'), JSON.stringify(list));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('makes the library links that a switched-off install script did not', () => {
  linkLibraries(folder);
  expect(readlinkSync(link())).toBe('libpq.so.5.18');
});

it('leaves links that exist as they are', () => {
  symlinkSync('elsewhere', link());
  linkLibraries(folder);
  expect(readlinkSync(link())).toBe('elsewhere');
});

it('names the link that is missing and cannot be made', () => {
  rmSync(path.join(folder, 'native/lib'), { recursive: true });
  expect(() => linkLibraries(folder)).toThrow(`lacks ${link()}`);
});
