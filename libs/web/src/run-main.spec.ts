import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Runs a main in a process of its own and signals it each time it says that it is ready. */
async function runs(body: string, signals: NodeJS.Signals[] = []) {
  const modules = process.env['TEST_MODULES'];
  const script = `
    const { runMain, runCommand } = await import('${modules}web/run-main.js');
    const { StartupError } = await import('${modules}web/startup-error.js');
    const say = (line) => process.stdout.write(line + '\\n');
    ${body}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  let out = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    if (chunk.includes('ready')) for (const signal of signals) child.kill(signal);
  });
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const started = performance.now();
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out: out.trim().split('\n'), errors, ms: performance.now() - started };
}

const SERVES = `setInterval(() => {}, 1000);`;

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s stops everything and ends with exit code 0',
  async (signal) => {
    const result = await runs(
      `await runMain('popindex', async (shutdown) => {
       ${SERVES}
       shutdown.last('database', async () => say('database stopped'));
       shutdown.drain('api', async () => say('api drained'));
       say('ready');
     });`,
      [signal],
    );
    expect(result).toMatchObject({ code: 0, out: ['ready', 'api drained', 'database stopped'] });
  },
);

test('a closed terminal, which takes no line any more, does not disturb the stop', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'popindex-run-main-'));
  const stopped = path.join(folder, 'stopped');
  const script = `
    const { writeFileSync } = await import('node:fs');
    const { setTimeout: delay } = await import('node:timers/promises');
    const { runMain } = await import('${process.env['TEST_MODULES']}web/run-main.js');
    await runMain('popindex', async (shutdown) => {
      setInterval(() => {}, 1000);
      shutdown.last('database', async () => writeFileSync('${stopped}', ''));
      for (const stream of [process.stdout, process.stderr]) {
        // The fault of a line arrives in a later turn.
        shutdown.drain('lines', () => (stream.write('to nobody'), delay(20)));
      }
      process.stdout.write('ready');
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  await once(child.stdout, 'data');
  child.stdout.destroy();
  child.stderr.destroy();
  child.kill('SIGHUP');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(existsSync(stopped)).toBe(true);
  rmSync(folder, { recursive: true });
});

test('a Ctrl-C that arrives twice at one moment is one signal', async () => {
  const result = await runs(
    `await runMain('popindex', async (shutdown) => {
       ${SERVES}
       shutdown.drain('api', async () => {
         await new Promise((resolve) => setTimeout(resolve, 200));
         say('api drained');
       });
       say('ready');
     });`,
    ['SIGINT', 'SIGINT'],
  );
  expect(result).toMatchObject({ code: 0, out: ['ready', 'api drained'] });
});

test('a second signal ends at once', async () => {
  const result = await runs(
    `await runMain('popindex', async (shutdown) => {
       ${SERVES}
       shutdown.drain('api', () => new Promise(() => {
         setTimeout(() => process.kill(process.pid, 'SIGTERM'), 1200);
       }));
       say('ready');
     });`,
    ['SIGTERM'],
  );
  expect(result.code).toBe(1);
  expect(result.errors).toBe('A second SIGTERM: ending at once.\n');
  expect(result.ms).toBeLessThan(8_000);
});

test('an expected fault of the start is one line, and what had begun is stopped', async () => {
  const result = await runs(
    `await runMain('popindex', async (shutdown) => {
       ${SERVES}
       shutdown.last('database', async () => say('database stopped'));
       throw new StartupError('API_PORT: port 3000 of 127.0.0.1 is in use');
     });`,
  );
  expect(result).toMatchObject({
    code: 1,
    out: ['database stopped'],
    errors: 'API_PORT: port 3000 of 127.0.0.1 is in use\n',
  });
});

test.each([
  ['thrown by the start', `throw new TypeError('oops');`],
  ['thrown later', `setTimeout(() => { throw new TypeError('oops'); }, 10);`],
  ['rejected later', `void Promise.reject(new TypeError('oops'));`],
])('a bug %s is one line of the log, with its stack, and stops everything', async (_how, bug) => {
  const result = await runs(
    `await runMain('popindex', async (shutdown) => {
       ${SERVES}
       shutdown.last('database', async () => say('database stopped'));
       ${bug}
     });`,
  );
  expect(result).toMatchObject({ code: 1, out: ['database stopped'] });
  expect(JSON.parse(result.errors)).toMatchObject({
    level: 'fatal',
    process: 'popindex',
    err: { type: 'TypeError', message: 'oops', stack: expect.stringMatching(/oops\n +at /) },
  });
});

test('a bug of a command is printed for its reader', async () => {
  const result = await runs(
    `await runCommand('popindex', async () => {
       throw new TypeError('oops');
     });`,
  );
  expect(result.code).toBe(1);
  expect(result.errors).toMatch(/^popindex: TypeError: oops\n +at /);
});

test('a command ends with the exit code of its work, stopped like a server', async () => {
  const result = await runs(
    `await runCommand('popindex', async (shutdown) => {
       ${SERVES}
       shutdown.stop('pool', async () => say('pool stopped'));
       return 3;
     });`,
  );
  expect(result).toMatchObject({ code: 3, out: ['pool stopped'] });
});

test.each([
  ['itself', (script: string) => [process.execPath, ['--input-type=module', '-e', script]]],
  [
    'through a shell that outlives it',
    (script: string) => [
      '/bin/sh',
      ['-c', `"$0" --input-type=module -e "$1"; exit`, process.execPath, script],
    ],
  ],
])('a service ends with the npm that started it %s', async (_how, command) => {
  const modules = process.env['TEST_MODULES'];
  const service = `
    const { runMain } = await import('${modules}web/run-main.js');
    await runMain('popindex', async (shutdown) => {
      setInterval(() => {}, 1000);
      shutdown.drain('api', async () => process.stdout.write('drained '));
      process.stdout.write('ready ');
    });`;
  // Stands between, as npm does: it starts the service and is killed once that is ready.
  const parent = `
    const { spawn } = require('node:child_process');
    const [file, args] = JSON.parse(process.argv[1]);
    spawn(file, args, { stdio: 'inherit' });
    setInterval(() => {}, 1000);`;
  const env = { ...process.env, npm_lifecycle_event: 'start' };
  const child = spawn(process.execPath, ['-e', parent, JSON.stringify(command(service))], { env });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    if (chunk.includes('ready')) child.kill('SIGKILL');
  });
  // The pipe closes when the last process that holds it has ended: the service.
  await once(child.stdout, 'close');
  expect(out).toBe('ready drained ');
});
