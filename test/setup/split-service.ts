import { freePort } from './free-port.js';
import { ADMIN_TOKEN, ServiceClient } from './service.js';
import { ServiceProcess, type App } from './service-process.js';

type Settings = Readonly<Record<string, string>>;

const CHARGING_SECRET = 'a-charging-secret-of-the-tests-0123456789';

/** API and accounting as processes of their own on a given database. */
export class SplitService extends ServiceClient {
  private constructor(
    apiUrl: string,
    adminUrl: string,
    private readonly apiEnv: Readonly<Record<string, string>>,
    private readonly accountingEnv: Readonly<Record<string, string>>,
    public api: ServiceProcess,
    public accounting: ServiceProcess,
  ) {
    super(apiUrl, adminUrl);
  }

  /** `env`: settings of both processes beside these. */
  static async start(
    databaseUrl: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<SplitService> {
    const [api, admin, charging] = [await freePort(), await freePort(), await freePort()];
    const apiUrl = `http://127.0.0.1:${api}`;
    const adminUrl = `http://127.0.0.1:${admin}`;
    const common = { DATABASE_URL: databaseUrl, CHARGING_SECRET, LOG_LEVEL: 'error', ...env };
    const accountingEnv = {
      ...common,
      ADMIN_TOKEN,
      ACCOUNTING_PORT: String(admin),
      CHARGING_PORT: String(charging),
      PORTAL_PORT: String(await freePort()),
      BASE_URL: apiUrl,
    };
    const apiEnv = {
      ...common,
      API_PORT: String(api),
      CHARGING_URLS: `tcp://127.0.0.1:${charging}`,
    };
    const started: ServiceProcess[] = [];
    const ready = async (app: App, own: Settings, url: string): Promise<ServiceProcess> => {
      const process = ServiceProcess.spawn(app, own, url);
      started.push(process);
      return process.ready();
    };
    try {
      const accounting = await ready('accounting', accountingEnv, adminUrl);
      const apiProcess = await ready('api', apiEnv, apiUrl);
      return new SplitService(apiUrl, adminUrl, apiEnv, accountingEnv, apiProcess, accounting);
    } catch (error) {
      for (const { child } of started) child.kill('SIGKILL');
      throw error;
    }
  }

  /** Starts another accounting process in the place of one that ended. */
  async restartAccounting(): Promise<void> {
    this.accounting = ServiceProcess.spawn('accounting', this.accountingEnv, this.adminUrl);
    await this.accounting.ready();
  }

  /** Starts another API process in the place of one that ended. */
  async restartApi(): Promise<void> {
    await this.spawnApi().ready();
  }

  /** The same, which need not become ready. `env`: settings beside those of the start. */
  spawnApi(env: Readonly<Record<string, string>> = {}): ServiceProcess {
    this.api = ServiceProcess.spawn('api', { ...this.apiEnv, ...env }, this.apiUrl);
    return this.api;
  }

  async stop(): Promise<void> {
    await Promise.all([this.api.stop(), this.accounting.stop()]);
  }
}
