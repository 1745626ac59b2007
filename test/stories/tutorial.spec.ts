import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../setup/free-port.js';
import { Program } from '../setup/program.js';
import { Service } from '../setup/service.js';
import { ShellSession } from '../setup/shell-session.js';
import { faultsOf, stepsOf } from '../setup/tutorial-steps.js';

const TUTORIAL = path.resolve(__dirname, '../../docs/tutorial.md');
const STEP_MS = 120_000;
const LOOK_MS = 10_000;
/** One command that asks the service, without anything to change or to keep. */
const READS = /^(admin|acme) [^\n>]*\n?$/;

/** A machine without curl cannot type what the tutorial shows. */
const describeInShell =
  spawnSync('bash', ['-c', 'curl --version'], { stdio: 'ignore' }).status === 0
    ? describe
    : describe.skip;

/** The document's commands for the service of this test instead of one that stands on its ports. */
function moved(script: string, places: ReadonlyMap<string, string>): string {
  return [...places].reduce((text, [shown, own]) => text.replaceAll(shown, own), script);
}

describeInShell('the tutorial, as somebody types it', () => {
  const steps = stepsOf(readFileSync(TUTORIAL, 'utf8'));
  let service: Service;
  let folder: string;
  let shell: ShellSession;
  let places: ReadonlyMap<string, string>;

  beforeAll(async () => {
    await Program.build();
    service = await Service.start({ WEBHOOK_ALLOW_PRIVATE: 'true' });
    folder = await mkdtemp(path.join(tmpdir(), 'popindex-tutorial-'));
    await writeFile(path.join(folder, 'admin-token'), service.adminToken);
    shell = new ShellSession({ TMPDIR: folder });
    places = new Map([
      ['http://127.0.0.1:3000', service.apiUrl],
      ['http://127.0.0.1:3001', service.adminUrl],
      ['4000', String(await freePort())],
      ['.data/', `${folder}/`],
    ]);
  }, 240_000);

  afterAll(async () => {
    await shell.end();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('has a whole story', () => {
    expect(steps.length).toBeGreaterThan(20);
    expect(steps.filter(({ answers }) => answers.length > 0).length).toBeGreaterThan(20);
  });

  it.each(steps)(
    '$heading (line $line)',
    async ({ script, answers }) => {
      const faults = async (): Promise<string[]> => {
        const output = await shell.run(moved(script, places));
        return answers.flatMap((answer) => faultsOf(answer, output));
      };
      let found = await faults();
      // Who only reads may look again: deliveries are on their way for a moment.
      const until = performance.now() + LOOK_MS;
      while (found.length > 0 && READS.test(script) && performance.now() < until) {
        found = await faults();
      }
      expect(found).toEqual([]);
    },
    STEP_MS,
  );
});
