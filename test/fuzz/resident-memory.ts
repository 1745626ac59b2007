import { readFile } from 'node:fs/promises';

const KIB_PER_MIB = 1024;

/** Resident memory of a process in MiB; null where the system has no /proc. */
export async function residentMib(pid: number): Promise<number | null> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
    return kib === undefined ? null : Math.round(Number(kib) / KIB_PER_MIB);
  } catch {
    return null;
  }
}
