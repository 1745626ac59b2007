import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DataFolder } from '../setup/data-folder.js';
import { Program } from '../setup/program.js';
import { freePorts, StartedService } from '../setup/started-service.js';
import { freePort } from '../setup/free-port.js';
import { ShellSession } from '../setup/shell-session.js';
import { faultsOf, stepsOf, type ShownAnswer } from '../setup/shown-steps.js';

const ROOT = path.resolve(__dirname, '../..');
const STEP_MS = 120_000;
const LOOK_MS = 10_000;
/** One command that asks the service, without anything to change or to keep. */
const READS = /^(api|admin|acme) [^\n>]*\n?$/;

/** A machine without curl cannot type what the pages show. */
const describeInShell =
  spawnSync('bash', ['-c', 'curl --version'], { stdio: 'ignore' }).status === 0
    ? describe
    : describe.skip;

const stepsOfPage = (name: string) => stepsOf(readFileSync(path.join(ROOT, name), 'utf8'));

/** Shown places, each with the one of this test: longer ones first, as one may begin another. */
type Places = Readonly<Record<string, string>>;

function moved(script: string, places: Places): string {
  const shown = Object.keys(places).toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(shown.map((place) => place.replaceAll('.', '\\.')).join('|'), 'g');
  return script.replaceAll(pattern, (place) => places[place] ?? '');
}

/** Statuses of problems that a block prints, and neither it nor an answer below it announces. */
function surprises(script: string, shown: readonly ShownAnswer[], output: string): string[] {
  const announced = [script, ...shown.map(({ text }) => text)].join('\n');
  if (announced.includes('"code"')) return [];
  const statuses = [...output.matchAll(/"status": ?([45]\d\d)\b/g)].map(
    ([, status = '']) => status,
  );
  return statuses.filter((status) => !announced.includes(status));
}

/** The service that `npm start` has started with the demo, and what a reader of a page has. */
let data: DataFolder;
let service: StartedService;
let folder: string;

beforeAll(async () => {
  await Program.build();
  data = await DataFolder.make();
  service = await StartedService.start(data, { WEBHOOK_ALLOW_PRIVATE: 'true' });
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-shown-'));
}, 240_000);

afterAll(async () => {
  await service.program.stop();
  await data.remove();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

async function placesOfDemo(): Promise<Places> {
  return {
    'http://127.0.0.1:3000': service.apiUrl,
    'http://127.0.0.1:3001': service.adminUrl,
    '4000': String(await freePort()),
    '.data/': `${data.path}/`,
    '/tmp/': `${folder}/`,
  };
}

/** Types the steps of a page one after the other into one shell. */
function typeIn(
  steps: ReturnType<typeof stepsOf>,
  shellOf: () => ShellSession,
  placesOf: () => Places,
) {
  it.each(steps)(
    '$heading (line $line)',
    async ({ script, answers }) => {
      const faults = async (): Promise<string[]> => {
        const output = await shellOf().run(moved(script, placesOf()));
        const wrong = answers.flatMap((answer) => faultsOf(answer, output));
        return [...wrong, ...surprises(script, answers, output)];
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
}

const WITH_DEMO = [
  {
    page: 'README.md',
    steps: stepsOfPage('README.md').filter(({ heading }) => heading !== 'Your own data'),
  },
  { page: 'docs/tutorial.md', steps: stepsOfPage('docs/tutorial.md') },
  { page: 'docs/recipes.md', steps: stepsOfPage('docs/recipes.md') },
];

describeInShell.each(WITH_DEMO)('the commands of $page, as somebody types them', ({ steps }) => {
  let shell: ShellSession;
  let places: Places;

  beforeAll(async () => {
    places = await placesOfDemo();
    const { adminUrl, apiUrl } = service;
    // A reader has a service on the ports of the pages.
    const ports = { ACCOUNTING_PORT: new URL(adminUrl).port, API_PORT: new URL(apiUrl).port };
    shell = new ShellSession({ TMPDIR: folder, DATA_DIR: data.path, ...ports });
  });

  afterAll(() => shell.end());

  it('are there', () => expect(steps.length).toBeGreaterThan(1));

  typeIn(
    steps,
    () => shell,
    () => places,
  );
});

const OWN_DATA = [
  { page: 'docs/own-data.md', steps: stepsOfPage('docs/own-data.md') },
  {
    page: 'README.md',
    steps: stepsOfPage('README.md').filter(({ heading }) => heading === 'Your own data'),
  },
];

describeInShell.each(OWN_DATA)(
  'the own data of $page, as somebody serves it',
  ({ page, steps }) => {
    let shell: ShellSession;
    let places: Places;
    let mine: DataFolder;

    beforeAll(async () => {
      mine = await DataFolder.make();
      const ports = await freePorts();
      places = {
        'http://127.0.0.1:3000': `http://127.0.0.1:${ports.API_PORT}`,
        'http://127.0.0.1:3001': `http://127.0.0.1:${ports.ACCOUNTING_PORT}`,
        '=.mine': `=${mine.path}`,
        '/tmp/': `${folder}/`,
      };
      shell = new ShellSession({ TMPDIR: folder, LOG_LEVEL: 'warn', ...ports });
    });

    afterAll(async () => {
      await shell.end();
      await mine.remove();
    }, 60_000);

    it('has a release', () => expect([page, steps.length > 0]).toEqual([page, true]));

    typeIn(
      steps,
      () => shell,
      () => places,
    );
  },
);
