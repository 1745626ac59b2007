import { existsSync } from 'node:fs';
import path from 'node:path';
import { DataFolder } from '../setup/data-folder.js';
import { Program } from '../setup/program.js';
import { freePorts } from '../setup/started-service.js';
import { waitFor } from '../setup/wait-for.js';

const STORY_MS = 120_000;

let data: DataFolder;
let service: Program;

beforeAll(() => Program.build(), STORY_MS);

beforeEach(async () => {
  data = await DataFolder.make();
});

afterEach(async () => {
  await service.stop();
  await data.remove();
}, STORY_MS);

async function start(): Promise<Program> {
  const settings = { ...(await freePorts()), DATA_DIR: data.path, DEMO: 'false' };
  return Program.start(settings);
}

const popindex = (...args: readonly string[]) => Program.popindex(args, { DATA_DIR: data.path });

test(
  'a command right after a start waits for the service, and finds it by DATA_DIR alone',
  async () => {
    service = await start();
    const opened = popindex('account', 'open', 'Acme');
    const shown = path.join(data.path, 'service.json');
    await waitFor('the service shows itself', () => existsSync(shown), STORY_MS);
    const listed = popindex('release', 'list', '--json');
    const commands = [opened, listed];
    expect(await Promise.all(commands.map(({ ended }) => ended))).toEqual([0, 0]);
    expect(opened.stdout).toContain('Acme');
    expect(listed.stdout).toBe('[]\n');
    for (const { stderr } of commands) expect(stderr).toMatch(/^(popindex: waiting for .*\n)*$/);
    const later = popindex('account', 'show', 'Acme');
    expect([await later.ended, later.stderr]).toEqual([0, '']);
    await service.stop();
    const away = popindex('account', 'show', 'Acme');
    expect([await away.ended, away.stderr]).toEqual([
      1,
      expect.stringContaining('is the service running?'),
    ]);
  },
  STORY_MS,
);

test(
  'a start waits for a command that uses the folder alone',
  async () => {
    const command = popindex('migrate');
    service = await start();
    expect([await command.ended, command.stderr]).toEqual([0, '']);
    await service.ready();
  },
  STORY_MS,
);
