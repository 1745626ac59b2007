import { execFile } from 'node:child_process';
import { availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { locateBinaries } from '#embedded-postgres/binaries.js';

const GIB = 1024 ** 3;

/** The machine of a figure, to be read beside it. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  /** Of the cores, where servers, databases and loads run. */
  readonly runs_on: string;
  readonly memory_gib: number;
  readonly platform: string;
  readonly node: string;
  readonly postgresql: string;
  /** Processes that wanted a core in the last minute, before the run. */
  readonly load_average: number;
}

/** `runsOn`: as `pinCores` answers it. */
export async function machineFacts(runsOn: string): Promise<Machine> {
  const { stdout } = await promisify(execFile)(locateBinaries().postgres, ['--version']);
  const processors = cpus();
  return {
    processor: processors[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    runs_on: runsOn,
    memory_gib: Math.round(totalmem() / GIB),
    platform: `${platform()} ${process.arch}`,
    node: process.versions.node,
    postgresql: stdout.trim().replace(/^.* /, ''),
    load_average: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}

export function machineText(machine: Machine): string {
  const { processor, cores, memory_gib: memory, node, postgresql, load_average: load } = machine;
  return (
    `${processor}, ${cores} cores, ${memory} GiB, ${machine.platform}; Node ${node}, ` +
    `PostgreSQL ${postgresql}; load average before ${load.toFixed(2)}; ${machine.runs_on}`
  );
}
