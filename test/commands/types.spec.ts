import { execFile } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const COMPILER = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
/** A machine that has much else to do. */
const COMPILED_MS = 300_000;

test(
  'the compiler finds no fault in what is built',
  async () => {
    const faults = await new Promise<string>((resolve) => {
      const args = [COMPILER, '-p', 'tsconfig.sources.json'];
      execFile(process.execPath, args, { cwd: ROOT }, (error, stdout) =>
        resolve(stdout || (error?.message ?? '')),
      );
    });
    expect(faults).toBe('');
  },
  COMPILED_MS,
);
