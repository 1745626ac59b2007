import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const CHANGELOG = `# Changelog

## [1.2.0] - 2026-11-28

### Added

- A version.

## [1.1.0] - 2026-10-01

- The first one.
`;

let folder: string;

function git(...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' });
}

function write(name: string, text: string): void {
  writeFileSync(path.join(folder, name), text);
}

function release(...args: readonly string[]) {
  const env = {
    ...process.env,
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@example.com',
  };
  const script = path.join(folder, 'bin', 'release.mjs');
  return spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env });
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'popindex-release-'));
  mkdirSync(path.join(folder, 'bin'));
  copyFileSync(path.join(ROOT, 'bin', 'release.mjs'), path.join(folder, 'bin', 'release.mjs'));
  write('package.json', '{ "version": "1.2.0" }');
  write('CHANGELOG.md', CHANGELOG);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Add a version');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NOTES = 'Popindex 1.2.0\n\n### Added\n\n- A version.\n';

test('a release is a tag of the version, with the notes of its section', () => {
  expect(release()).toMatchObject({ status: 0, stdout: NOTES });
  expect(git('tag', '--list', '--format=%(contents)', 'v1.2.0').trim()).toBe(NOTES.trim());
});

test('a dry run shows the notes and makes no tag', () => {
  expect(release('--dry-run')).toMatchObject({ status: 0, stdout: NOTES });
  expect(git('tag')).toBe('');
});

test('a release is refused for all its reasons at once', () => {
  git('tag', 'v1.2.0');
  write('CHANGELOG.md', CHANGELOG.replace('2026-11-28', 'unreleased'));
  const { status, stdout, stderr } = release();
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr.trim().split('\n')).toEqual([
    'The tree has changes: commit them first.',
    'The tag v1.2.0 exists: write the next version into package.json.',
    'CHANGELOG.md has no date for 1.2.0: write "## [1.2.0] - YYYY-MM-DD".',
  ]);
});

test('a version without a section is not released', () => {
  write('package.json', '{ "version": "1.3.0" }');
  git('commit', '--all', '--quiet', '--message', 'Begin the next version');
  const { status, stderr } = release();
  expect([status, stderr]).toEqual([1, 'CHANGELOG.md has no section "## [1.3.0] - YYYY-MM-DD".\n']);
});

test('the chart and the lock file are of the version of the program', () => {
  const text = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');
  const { version } = JSON.parse(text('package.json')) as { version: string };
  const lock = JSON.parse(text('package-lock.json')) as { packages: { '': { version: string } } };
  const chart = /^appVersion: '(.*)'$/m.exec(text('deploy/helm/Chart.yaml'));
  expect([lock.packages[''].version, chart?.[1]]).toEqual([version, version]);
});
