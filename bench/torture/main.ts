import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { runCommand } from '#web/run-main.js';
import { endWithUsageCode } from '#web/usage-code.js';
import { FAULT_KINDS } from './faults.js';
import { reportText } from './report.js';
import { torture } from './torture.js';

interface Flags {
  readonly minutes: number;
  readonly times?: number;
  readonly seed: number;
  readonly only: string;
  readonly database?: string;
  readonly killServer?: string;
  readonly report?: string;
}

function positive(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It takes a number above 0.');
}

function partOfAKind(text: string): string {
  if (FAULT_KINDS.some((kind) => kind.includes(text))) return text;
  throw new InvalidArgumentError(`No fault is called so; there are ${FAULT_KINDS.join(', ')}.`);
}

function write(file: string, text: string): void {
  writeFileSync(path.resolve(process.env.INIT_CWD ?? process.cwd(), file), text);
}

const program = new Command('npm run torture --')
  .description(
    'Runs two API and two accounting processes and PostgreSQL under traffic, kills, hangs and cuts\n' +
      'them after a seeded plan, and holds every answer against the log. Exit code 1: a rule broke.',
  )
  .option('--minutes <m>', 'how long traffic and faults go on', positive, 10)
  .option('--times <n>', 'end sooner, when something has broken so many times', positive)
  .option('--seed <n>', 'the plan of faults and traffic', positive, 1)
  .option('--only <text>', 'only faults whose kind holds this text: "half-open"', partOfAKind, '')
  .option('--database <url>', 'an empty database of a cluster, instead of one of its own')
  .option('--kill-server <command>', 'kills one of its servers and starts it again')
  .option('--report <file>', 'write the report as Markdown, and beside it as .json')
  .action(async ({ minutes, times, seed, only, database, killServer, report: file }: Flags) => {
    const print = (line: string): void => void process.stderr.write(`${line}\n`);
    const options = { minutes, times, seed, only, database, killing: killServer, report: print };
    await runCommand('torture', async (shutdown) => {
      const report = await torture(options, shutdown);
      const text = reportText(report);
      process.stdout.write(text);
      if (file !== undefined) {
        write(file, text);
        write(`${file.replace(/\.md$/, '')}.json`, `${JSON.stringify(report, null, 2)}\n`);
      }
      return report.violations_total === 0 ? 0 : 1;
    });
  });
await endWithUsageCode(program).parseAsync();
