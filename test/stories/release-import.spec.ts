import { Calendar } from '#calendar/calendar.js';
import { DataFolder } from '../setup/data-folder.js';
import { DemoFiles } from '../setup/demo-files.js';
import { Program, type Environment } from '../setup/program.js';
import { ADMIN_TOKEN, ServiceClient, type Answer, type Customer } from '../setup/service.js';
import { freePorts } from '../setup/started-service.js';
import { createTestDatabase } from '../setup/test-database.js';
import { waitFor } from '../setup/wait-for.js';

const TOP_5 = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const PLENTY = 100_000;
const DAY_MS = 86_400_000;

/** A zone whose next Tuesday is hours away, so that no run of this story meets a rollover. */
function quietZone(): string {
  const now = new Date();
  const hours = now.getUTCDay() * 24 + now.getUTCHours();
  return Math.abs(hours - 48) <= 2 ? 'Etc/GMT+12' : 'UTC';
}

const zone = quietZone();
const calendar = new Calendar(zone);
const running = calendar.windowAt(Date.now());
const next = calendar.windowAt(running.endsAt);
const afterNext = calendar.windowAt(next.endsAt);

let files: DemoFiles;
let september: string;
let october: string;

beforeAll(async () => {
  await Program.build();
  files = await DemoFiles.make();
  september = await files.release('2026-09-01');
  october = await files.release('2026-10-01');
}, 120_000);

afterAll(() => files.remove());

interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Setting {
  readonly env: Environment;
  readonly remove: () => Promise<void>;
}

async function embedded(): Promise<Setting> {
  const data = await DataFolder.make();
  return { env: { DATA_DIR: data.path }, remove: () => data.remove() };
}

async function given(): Promise<Setting> {
  const [data, database] = [await DataFolder.make(), await createTestDatabase()];
  const remove = async (): Promise<void> => {
    await database.drop();
    await data.remove();
  };
  return { env: { DATA_DIR: data.path, DATABASE_URL: database.url }, remove };
}

async function run(env: Environment, ...args: string[]): Promise<Result> {
  const program = Program.popindex(['release', ...args], env);
  const code = await program.ended;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

function importInto(env: Environment, ...args: string[]): Promise<Result> {
  return run(env, 'import', ...args);
}

/** The data of an answer, without its charge. */
function dataOf({ status, headers, text }: Answer): unknown[] {
  const free = text.replaceAll(/"(credits_used|call_cost|data_cost)":\d+/g, '"$1":0');
  return [status, headers.get('data-release'), headers.get('data-through'), free];
}

describe.each([
  ['the embedded database', embedded],
  ['DATABASE_URL', given],
])('beside a service that runs on %s', (_database, make) => {
  let setting: Setting;
  let env: Environment;
  let program: Program;
  let service: ServiceClient;
  let customer: Customer;
  let served: unknown[];

  beforeAll(async () => {
    setting = await make();
    env = { ...setting.env, BILLING_TIME_ZONE: zone };
    const ports = await freePorts();
    program = await Program.start({ ...env, ...ports, ADMIN_TOKEN, DEMO: 'false' }).ready();
    const [api, admin] = [ports.API_PORT, ports.ACCOUNTING_PORT];
    service = new ServiceClient(`http://127.0.0.1:${api}`, `http://127.0.0.1:${admin}`);
    customer = await service.customer(PLENTY);
  }, 60_000);

  afterAll(async () => {
    await program.stop();
    await setting.remove();
  });

  async function releases(): Promise<string[]> {
    const { body } = await service.admin('/releases');
    const items = body.items as { release: string; window: string; through: string }[];
    return items.map(({ release, window, through }) => `${release} ${window} ${through}`);
  }

  /** Whose clock shows this moment. */
  function testerAt(moment: number): Promise<Customer> {
    return service.customer(PLENTY, { test_clock: new Date(moment).toISOString() });
  }

  async function releaseAt(tester: Customer, moment: number): Promise<string | null> {
    await service.moveClock(tester.accountId, new Date(moment).toISOString());
    return (await tester.get(TOP_5)).headers.get('data-release');
  }

  /** Waits until whoever calls first in a window is served this release. */
  async function heard(label: string, moment: number): Promise<void> {
    await waitFor(`the service knows ${label}`, async () => {
      return (await releaseAt(await testerAt(moment), moment)) === label;
    });
  }

  it('without a release the service is ready, and every window is unknown and free', async () => {
    expect((await fetch(`${service.apiUrl}/readyz`)).status).toBe(200);
    for (const path of [TOP_5, TOP_5.replace('latest', running.label)]) {
      const answer = await customer.get(path);
      expect([answer.status, answer.body.code]).toEqual([404, 'unknown-window']);
    }
    expect((await service.admin(`/accounts/${customer.accountId}`)).body.balance).toBe(PLENTY);
  });

  it('a dry run checks all of it and changes nothing', async () => {
    const checked = await importInto(env, october, '--dry-run');
    expect([checked.code, checked.stdout]).toEqual([
      0,
      expect.stringContaining(`it would serve from window ${running.label} on`),
    ]);
    expect(await releases()).toEqual([]);
    expect((await customer.get(TOP_5)).status).toBe(404);
  });

  it('the first release serves at once; progress is on stderr, the result on stdout', async () => {
    const { code, stdout, stderr } = await importInto(env, september, '--json');
    expect([code, stderr]).toEqual([0, 'checking …\nloading …\npublishing …\n']);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'published',
      release: { release: 'r1', window: running.label, through: '2026-09-01' },
      seconds: expect.any(Number),
    });
    await waitFor('it serves', async () => (await customer.get(TOP_5)).status === 200);
    served = dataOf(await customer.get(TOP_5));
    expect(served.slice(0, 3)).toEqual([200, 'r1', '2026-09-01']);
  });

  it('a later one changes nothing before the next Tuesday, and then it serves', async () => {
    const tester = await testerAt(Date.now());
    expect(dataOf(await tester.get(TOP_5))).toEqual(served);
    const { code, stdout } = await importInto(env, october);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`from window ${next.label} on`)]);
    await heard('r2', next.startsAt);

    expect(dataOf(await customer.get(TOP_5))).toEqual(served);
    const fresh = await service.customer(PLENTY);
    expect(dataOf(await fresh.get(TOP_5))).toEqual(served);
    await service.moveClock(tester.accountId, new Date(next.startsAt - 1).toISOString());
    expect(dataOf(await tester.get(TOP_5))).toEqual(served);
    await service.moveClock(tester.accountId, new Date(next.startsAt).toISOString());
    const tuesday = await tester.get(TOP_5);
    expect(dataOf(tuesday).slice(0, 3)).toEqual([200, 'r2', '2026-10-01']);
    expect([tuesday.body.credits_used, dataOf(tuesday)[3] === served[3]]).toEqual([35, false]);
    const before = await tester.get(TOP_5.replace('latest', running.label));
    expect(dataOf(before)).toEqual(served);
  });

  it.each([
    ['the running one', () => running.label, 'has begun already'],
    ['one that is over', () => '2024w10', 'has begun already'],
  ])('--window refuses %s', async (_which, label, reason) => {
    const edited = await renamed('refused');
    const { code, stdout } = await importInto(env, edited, '--window', label());
    expect([code, stdout]).toEqual([1, expect.stringContaining(reason)]);
    expect(await releases()).toHaveLength(2);
  });

  it('--window takes one that is to come', async () => {
    const { code, stdout } = await importInto(
      env,
      await renamed('taken'),
      '--window',
      afterNext.label,
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining(`window ${afterNext.label} on`)]);
    await heard('r3', afterNext.startsAt);
    const tester = await testerAt(next.startsAt);
    expect(await releaseAt(tester, afterNext.startsAt - DAY_MS)).toBe('r2');
    expect(await releaseAt(tester, afterNext.startsAt)).toBe('r3');
  });

  it.each<[string, string, (lines: readonly string[]) => readonly string[], string]>([
    [
      'a month that is none',
      'volumes.csv',
      (lines) => lines.with(100, (lines[100] ?? '').replace(/\d{4}-\d\d-01/, '2026-13-01')),
      'volumes.csv:101: month: "2026-13-01" is not a month',
    ],
    [
      'a negative volume in the last line',
      'volumes.csv',
      (lines) => lines.with(-1, `${(lines.at(-1) ?? '').split(',').slice(0, 5).join(',')},-1`),
      `volumes.csv:LAST: instagram: "-1" is `,
    ],
    [
      'a parent that is not there',
      'categories.csv',
      (lines) => lines.with(2, (lines[2] ?? '').replace(/[0-9a-f-]{36},$/, `${NOBODY},`)),
      'categories.csv:3: parent_id: ',
    ],
    [
      'a relation twice',
      'relations.csv',
      (lines) => lines.with(9, lines[8] ?? ''),
      'relations.csv:10: ',
    ],
    [
      'a brand in no category',
      'brands.csv',
      (lines) => lines.with(4, (lines[4] ?? '').replace(/[0-9a-f-]{36}$/, NOBODY)),
      'brands.csv:5: category_id: ',
    ],
  ])('%s: refused whole, with file, line and reason', async (_what, file, change, message) => {
    let last = 0;
    const broken = await files.copy(october, file, (lines) => {
      last = lines.length;
      return change(lines);
    });
    const before = await releases();
    const { code, stdout } = await importInto(env, broken);
    const [line = '', end] = stdout.split('\n');
    expect(line.startsWith(message.replace('LAST', String(last)))).toBe(true);
    expect(line.length).toBeGreaterThanOrEqual(message.length);
    expect([code, end]).toEqual([1, 'Not imported: 1 fault.']);
    expect(await releases()).toEqual(before);
    expect(dataOf(await customer.get(TOP_5))).toEqual(served);
  });

  it('the newest files again change nothing, and older ones make a way back', async () => {
    const before = await releases();
    const newest = await importInto(env, await renamed('taken'));
    expect([newest.code, newest.stdout]).toEqual([
      0,
      'Release r3 was made of the same files: nothing was changed.\n',
    ]);
    expect(await releases()).toEqual(before);
    const older = await importInto(env, september, '--window', afterNext.label);
    expect(older.code).toBe(0);
    await heard('r4', afterNext.startsAt);
    expect(older.stdout).toMatch(/Warning: its data is older than that of release r3/);
    expect(await releases()).toEqual([...before, `r4 ${afterNext.label} 2026-09-01`]);
    expect(dataOf(await customer.get(TOP_5))).toEqual(served);
  });

  it('a withdrawn release serves nobody but those who have called it', async () => {
    const pinned = await testerAt(afterNext.startsAt);
    expect(await releaseAt(pinned, afterNext.startsAt)).toBe('r4');
    const withdrawn = await run(env, 'withdraw', 'r4');
    expect([withdrawn.code, withdrawn.stdout]).toEqual([
      0,
      `Release r4 was withdrawn: release r3 serves window ${afterNext.label}.\n`,
    ]);
    await heard('r3', afterNext.startsAt);
    expect(await releaseAt(pinned, afterNext.startsAt)).toBe('r4');
    const again = await run(env, 'withdraw', 'r4');
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/withdrawn already/)]);
    const serving = await run(env, 'withdraw', 'r1');
    expect([serving.code, serving.stderr]).toEqual([
      1,
      expect.stringMatching(/has begun, and the data of a window does not change\. Import/),
    ]);
  });
});

const NOBODY = '99999999-9999-4999-8999-999999999999';

/** The October files with another label in them: good, and not the same. */
function renamed(label: string): Promise<string> {
  return files.copy(october, 'brands.csv', (lines) =>
    lines.map((line, index) =>
      index === 0 || line.includes('"') ? line : line.replace(',', `,${label} `),
    ),
  );
}
