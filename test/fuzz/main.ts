import { Command, Option } from 'commander';
import { wholeNumber } from '../../bench/number-arguments.js';
import { endWithUsageCode } from '#web/usage-code.js';
import { fuzz } from './fuzz.js';
import { reportText } from './report-text.js';
import { startFuzzedService } from './started-process.js';

interface Flags {
  readonly requests: number;
  readonly seed: number;
  readonly port?: 'api' | 'accounting';
  readonly only?: number;
  readonly stalls: boolean;
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Runs the fuzzer on a service of its own. Resolves to the exit code. */
async function run({ requests, seed, port, only, stalls }: Flags): Promise<number> {
  const { service, stop } = await startFuzzedService();
  try {
    const ports = port === undefined ? (['api', 'accounting'] as const) : [port];
    const report = await fuzz(service, {
      requests,
      seed,
      ports,
      stalls,
      report: print,
      ...(only !== undefined && { only }),
    });
    process.stdout.write(reportText(report, seed));
    return report.findings.length + report.faults.length === 0 ? 0 : 1;
  } finally {
    await stop();
  }
}

export async function main(args: readonly string[]): Promise<number> {
  let exitCode = 1;
  const program = new Command('npm run fuzz --')
    .description('Sends generated requests over raw sockets and checks every answer and the log.')
    .option('--requests <n>', 'how many', wholeNumber, 50_000)
    .option('--seed <n>', 'the same seed makes the same requests', wholeNumber, Date.now() % 1e6)
    .addOption(new Option('--port <name>', 'one server alone').choices(['api', 'accounting']))
    .option('--only <n>', 'one exchange alone, by its number', wholeNumber)
    .option('--no-stalls', 'without requests that are never finished')
    .action(async (flags: Flags) => {
      exitCode = await run(flags);
    });
  await endWithUsageCode(program).parseAsync([...args], { from: 'user' });
  return exitCode;
}
