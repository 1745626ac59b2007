import type { DataFolder } from './data-folder.js';
import { freePort } from './free-port.js';
import { Program, type Environment } from './program.js';
import { ServiceClient } from './service.js';

/** Ports that are free at this moment, as settings. */
export async function freePorts(): Promise<Environment> {
  return {
    API_PORT: String(await freePort()),
    ACCOUNTING_PORT: String(await freePort()),
    PORTAL_PORT: String(await freePort()),
  };
}

/** The matched output of the start, or the empty text. */
function printed({ stdout }: Program, pattern: RegExp): string {
  return pattern.exec(stdout)?.[1] ?? '';
}

/** A service that `npm start` runs on an embedded database, known by what it printed and kept. */
export class StartedService extends ServiceClient {
  private constructor(
    readonly program: Program,
    adminToken: string,
  ) {
    const apiUrl = printed(program, /^Public API +(\S+)/m);
    const adminUrl = printed(program, /^Admin REST +(\S+)\/admin\/v1/m);
    super(apiUrl, adminUrl, adminToken);
  }

  static async start(data: DataFolder, env: Environment = {}): Promise<StartedService> {
    const settings = { DATA_DIR: data.path, ...(await freePorts()), ...env };
    const program = await Program.start(settings).ready();
    return new StartedService(program, data.text('admin-token'));
  }

  /** The line that a user is invited to try. */
  get curlLine(): string {
    return printed(this.program, /^(curl .*)$/m);
  }
}
