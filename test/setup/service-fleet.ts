import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.js';
import { ADMIN_TOKEN, ServiceClient } from './service.js';
import { ServiceProcess } from './service-process.js';
import { TcpProxy } from './tcp-proxy.js';

const CHARGING_SECRET = 'a-charging-secret-of-the-tests-0123456789';
/** Preloaded with `--import`: moves the clock of a process. */
const SHIFTED_CLOCK = path.resolve(__dirname, 'shifted-clock.mjs');

/** An accounting process whose way to the database, and whose clock, a test breaks. */
export interface BreakableAccounting {
  readonly process: ServiceProcess;
  readonly adminUrl: string;
  readonly chargingPort: number;
  readonly database: TcpProxy;
  /** Sets its wall clock off by so many milliseconds. */
  readonly shiftClock: (ms: number) => Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

async function startAccounting(folder: string, databaseUrl: string, settings: Settings) {
  const database = await TcpProxy.start(databaseUrl);
  const [admin, chargingPort] = [await freePort(), await freePort()];
  const shiftFile = path.join(folder, `clock-${admin}`);
  const shiftClock = (ms: number): Promise<void> => writeFile(shiftFile, String(ms));
  await shiftClock(0);
  const env = {
    ...settings,
    DATABASE_URL: database.url,
    DATA_DIR: path.join(folder, `accounting-${admin}`),
    ADMIN_TOKEN,
    ACCOUNTING_PORT: String(admin),
    CHARGING_PORT: String(chargingPort),
    PORTAL_PORT: String(await freePort()),
    CLOCK_SHIFT_FILE: shiftFile,
  };
  const adminUrl = `http://127.0.0.1:${admin}`;
  const preload = ['--import', SHIFTED_CLOCK];
  const process = ServiceProcess.spawn('accounting', env, adminUrl, [], preload);
  await process.ready();
  return { process, adminUrl, chargingPort, database, shiftClock };
}

/** Two API and two accounting processes; each accounting process can be made ill by itself. */
export class ServiceFleet {
  private constructor(
    readonly apis: readonly ServiceProcess[],
    readonly accountings: readonly BreakableAccounting[],
    /** Of each API process, with the second accounting process as its admin REST. */
    readonly clients: readonly ServiceClient[],
    private readonly folder: string,
  ) {}

  /** On a database that holds data. `settings`: of every process. */
  static async start(databaseUrl: string, settings: Settings = {}): Promise<ServiceFleet> {
    const folder = await mkdtemp(path.join(tmpdir(), 'popindex-fleet-'));
    const common = { CHARGING_SECRET, LOG_LEVEL: 'error', ...settings };
    const accountings = [
      await startAccounting(folder, databaseUrl, common),
      await startAccounting(folder, databaseUrl, common),
    ];
    const chargingUrls = accountings.map((one) => `tcp://127.0.0.1:${one.chargingPort}`);
    const apis: ServiceProcess[] = [];
    const clients: ServiceClient[] = [];
    for (const name of ['api-0', 'api-1']) {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const env = {
        ...common,
        DATABASE_URL: databaseUrl,
        DATA_DIR: path.join(folder, name),
        API_PORT: String(port),
        CHARGING_URLS: chargingUrls.join(','),
      };
      apis.push(await ServiceProcess.spawn('api', env, url).ready());
      clients.push(new ServiceClient(url, accountings[1]?.adminUrl ?? ''));
    }
    return new ServiceFleet(apis, accountings, clients, folder);
  }

  async stop(): Promise<void> {
    for (const { database, shiftClock } of this.accountings) {
      database.setMode('pass');
      await shiftClock(0);
    }
    const processes = [...this.apis, ...this.accountings.map(({ process }) => process)];
    await Promise.all(processes.map((process) => process.stop()));
    await Promise.all(this.accountings.map(({ database }) => database.stop()));
    await rm(this.folder, { recursive: true, force: true });
  }
}
