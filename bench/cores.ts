import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Processors that this process may run on, by number; none where the system does not report. */
function allowedCores(): number[] {
  let status: string;
  try {
    status = readFileSync('/proc/self/status', 'utf8');
  } catch {
    return [];
  }
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/**
 * Pins this process, and so all that it starts, to the same processors: servers that are compared,
 * databases and loads. `count`: so many of those that it may use, all by default. Answers in words
 * what they run on; where there is no `taskset` nothing is pinned, and a count is an error.
 */
export function pinCores(count: number | null): string {
  const allowed = allowedCores();
  const cores = allowed.slice(0, count ?? undefined);
  const wanted = count ?? availableParallelism();
  try {
    if (cores.length < wanted) throw new Error(`There are ${allowed.length} processors.`);
    execFileSync('taskset', ['-a', '-p', '-c', cores.join(','), String(process.pid)]);
  } catch (error) {
    if (count !== null)
      throw new Error(`Nothing can be pinned to ${count} cores.`, { cause: error });
    return `${availableParallelism()} cores, not pinned`;
  }
  return `all on cores ${cores.join(', ')} (${cores.length} of ${allowed.length})`;
}
