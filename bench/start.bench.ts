import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { Child, CHECKOUT } from './child.js';
import type { Stage } from './stage.js';

const ANY_PORTS = { API_PORT: '0', ACCOUNTING_PORT: '0', PORTAL_PORT: '0' };

/** `npm start` until its first charged answer, in seconds. It is stopped again. */
async function startOnce(stage: Stage, checkout: string, name: string, figures: Measurements) {
  const startedAt = performance.now();
  const seconds = (): number => (performance.now() - startedAt) / 1000;
  const npm = Child.start(stage.shutdown, 'npm', ['start'], ANY_PORTS, checkout);
  const url = await npm.printed(/curl -i .* (http\S+)\n[^]*Ready\./);
  figures.add(`${name}, ready`, 's', seconds());
  const apiKey = (await readFile(path.join(checkout, '.data', 'demo-api-key'), 'utf8')).trim();
  const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
  const { credits_used: credits } = (await response.json()) as { readonly credits_used: unknown };
  if (response.status !== 200 || typeof credits !== 'number') {
    throw new Error(`The first call was answered with ${response.status}.`);
  }
  figures.add(`${name}, first charged answer`, 's', seconds());
  const readyAt = performance.now();
  await npm.stop();
  figures.add(`${name}, stopped after`, 's', (performance.now() - readyAt) / 1000);
}

/** In a copy of its own: nobody edits sources there, so a later start builds nothing. */
async function run(stage: Stage): Promise<readonly Series[]> {
  const checkout = path.join(await stage.folder(), 'checkout');
  await promisify(execFile)('git', ['clone', '--quiet', CHECKOUT, checkout]);
  const figures = new Measurements();
  stage.report('the first start installs, builds and makes the database');
  await startOnce(stage, checkout, 'first start', figures);
  for (let round = 1; round <= stage.options.rounds; round += 1) {
    stage.report(`later start ${round}`);
    await startOnce(stage, checkout, 'later start', figures);
  }
  return figures.series();
}

export const startBenchmark: Benchmark = {
  name: 'start',
  about: 'npm start in a fresh copy of the last commit, packages from the cache of npm',
  run,
};
