// npm run release [-- --dry-run]: tags this commit as the version of package.json, with its notes.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const read = (name) => readFileSync(path.join(root, name), 'utf8');

function git(args, input) {
  const { status, stdout, stderr, error } = spawnSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    input,
  });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${error?.message ?? stderr.trim()}`);
  return stdout.trim();
}

/** Date and notes of a version; undefined: the changelog has no section of it. */
function sectionOf(version) {
  const [, ...sections] = read('CHANGELOG.md').split(/^## (?=\[)/m);
  const section = sections.find((text) => text.startsWith(`[${version}]`));
  if (section === undefined) return undefined;
  const [heading, ...lines] = section.split('\n');
  const [, date] = / - (\d{4}-\d{2}-\d{2})$/.exec(heading) ?? [];
  return { date, notes: lines.join('\n').trim() };
}

/** Every reason against a release. */
function* faultsOf(version, tag, section) {
  if (git(['status', '--porcelain']) !== '') yield 'The tree has changes: commit them first.';
  if (git(['tag', '--list', tag]) !== '') {
    yield `The tag ${tag} exists: write the next version into package.json.`;
  }
  if (section === undefined) yield `CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD".`;
  else if (section.date === undefined) {
    yield `CHANGELOG.md has no date for ${version}: write "## [${version}] - YYYY-MM-DD".`;
  } else if (section.notes === '') yield `The section of ${version} in CHANGELOG.md is empty.`;
}

function end(lines, exitCode) {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exit(exitCode);
}

const options = process.argv.slice(2);
const unknown = options.find((option) => option !== '--dry-run');
if (unknown !== undefined) end([`"${unknown}" is not known here: it takes --dry-run.`], 2);
const { version } = JSON.parse(read('package.json'));
const tag = `v${version}`;
const section = sectionOf(version);
const faults = [...faultsOf(version, tag, section)];
if (faults.length > 0) end(faults, 1);
const message = `Popindex ${version}\n\n${section.notes}\n`;
process.stdout.write(message);
if (options.length > 0) end([`${tag} was not made: this was a dry run.`], 0);
// Verbatim: git would take the headings of the notes for comments.
git(['tag', '--annotate', '--cleanup=verbatim', '--file=-', tag], message);
end([`${tag} is made: git push origin ${tag}`], 0);
