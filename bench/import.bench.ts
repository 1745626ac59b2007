import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Calendar } from '#calendar/calendar.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { importRelease } from '#popularity/import-release.js';
import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { Child } from './child.js';
import { writeEnlargedRelease } from './enlarged-release.js';
import type { Stage } from './stage.js';

const COPIES = 40;

/** Two releases of the same size that differ, so that each import has something to do. */
async function twoReleases(stage: Stage, dir: string | null): Promise<[string, string]> {
  const folder = await stage.folder();
  const both = [path.join(folder, 'a'), path.join(folder, 'b')] as [string, string];
  for (const [variant, directory] of both.entries()) {
    if (dir === null) await writeEnlargedRelease(directory, COPIES, variant);
    else await cp(dir, directory, { recursive: true });
  }
  if (dir !== null) await reorder(path.join(both[1], 'relations.csv'));
  return both;
}

/** The order of the rows means nothing, but it makes another file. */
async function reorder(file: string): Promise<void> {
  const [header = '', ...rows] = (await readFile(file, 'utf8')).trimEnd().split(/\r?\n/);
  await writeFile(file, `${[header, ...rows.reverse()].join('\n')}\n`);
}

/** The command as an operator runs it, from its start to its end. */
async function importByCommand(stage: Stage, url: string, directory: string): Promise<number> {
  const startedAt = performance.now();
  const args = ['release', 'import', directory, '--json'];
  const settings = { DATABASE_URL: url, ADMIN_TOKEN: 'an-admin-token-of-the-benchmark-0123456789' };
  const command = Child.startBuilt(stage.shutdown, 'apps/popindex/src/main.js', settings, args);
  const code = await command.end();
  if (code !== 0) throw new Error(`The import ended with ${code}:\n${command.output}`);
  return (performance.now() - startedAt) / 1000;
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const { url } = await stage.database();
  const pool = stage.pool(url, 4);
  const dependencies = {
    pool,
    stream: new SystemStream(new PostgresEventLog(pool)),
    windows: new Calendar('UTC'),
    clock: { now: () => Date.now() },
  };
  stage.report('writing the files');
  const [first, second] = await twoReleases(stage, stage.options.dir);
  const figures = new Measurements();
  for (let round = 1; round <= stage.options.rounds; round += 1) {
    const commandSeconds = await importByCommand(stage, url, first);
    const { outcome, rows, seconds } = await importRelease(dependencies, second);
    if (outcome !== 'published') throw new Error(`The import was not published: ${outcome}.`);
    stage.report(`${rows} rows: ${commandSeconds.toFixed(1)} s, ${seconds.toFixed(1)} s inside`);
    figures.add('command / in-process', 'ratio of times', commandSeconds / seconds);
    figures.add('command, from start to end', 's', commandSeconds);
    figures.add('in-process', 's', seconds);
    figures.add('command, volumes', 'rows/s', rows / commandSeconds);
    figures.add('in-process, volumes', 'rows/s', rows / seconds);
    figures.add('volumes of a release', 'rows', rows);
  }
  return figures.series();
}

export const importBenchmark: Benchmark = {
  name: 'import',
  about: 'a release into a database that holds others, by command and in a warm process',
  run,
};
