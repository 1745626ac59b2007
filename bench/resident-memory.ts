import { readFileSync } from 'node:fs';

const BYTES_PER_KIB = 1024;
const BYTES_PER_MB = 1_000_000;

/** Memory of a process in MB, now and at most so far. Undefined where there is no /proc. */
export function residentMemory(
  pid: number,
): { readonly now: number; readonly most: number } | undefined {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return undefined;
  }
  const megabytes = (name: string): number => {
    const [, kib = 'NaN'] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status) ?? [];
    return (Number(kib) * BYTES_PER_KIB) / BYTES_PER_MB;
  };
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
}
