import { setTimeout as delay } from 'node:timers/promises';
import { runningService, startedService, type RunningService } from '#service/running-service.js';
import { readConfiguration, type Configuration, type Environment } from '#web/configuration.js';
import { StartupError } from '#web/startup-error.js';

/** Settings of a command, and the service in DATA_DIR if one lives there. */
export interface CommandSettings {
  readonly configuration: Configuration;
  readonly service: RunningService | undefined;
}

/** A service that somebody has just started in another terminal takes so long to show itself. */
const SHOWN_MS_MAX = 3_000;
const POLL_MS = 100;

function say(line: string): void {
  process.stderr.write(`popindex: ${line}\n`);
}

/** Settings that are set: an empty text is nothing, and port 0 is no port to ask. */
function givenIn(environment: Environment): Environment {
  const given = Object.entries(environment).filter(([name, value = '']) => {
    return value.trim() !== '' && !(name.endsWith('_PORT') && Number(value) === 0);
  });
  return Object.fromEntries(given);
}

/** The settings of a command; an address that it does not name is that of the service. */
export function commandConfiguration(
  environment: Environment = process.env,
  service?: RunningService,
): Configuration {
  const given = givenIn(environment);
  return readConfiguration('popindex', { LOG_LEVEL: 'error', ...service?.settings, ...given });
}

/** The same once a service that starts has come up. Throws StartupError if it does not. */
export async function settingsBesideService(
  environment: Environment = process.env,
): Promise<CommandSettings> {
  const configuration = commandConfiguration(environment);
  const { dataDir, adminUrl } = configuration;
  // That service is somewhere else.
  if (adminUrl !== null) return { configuration, service: undefined };
  const service = await startedService(dataDir, ({ pid }) =>
    say(`waiting for the service of ${dataDir} (process ${pid}), which starts`),
  );
  if (service?.is_ready === false) {
    throw new StartupError(
      `popindex: the service of ${dataDir} (process ${service.pid}) does not come up`,
    );
  }
  return { configuration: commandConfiguration(environment, service), service };
}

/** Whether a service shows itself in DATA_DIR, for those who ask right after its start. */
export async function isServiceShown({ dataDir }: Configuration): Promise<boolean> {
  const deadline = performance.now() + SHOWN_MS_MAX;
  while (runningService(dataDir) === undefined) {
    if (performance.now() >= deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

/** The line about another process that uses the embedded database. */
export function sayWaiting(pid: number | undefined): void {
  say(`waiting for ${pid === undefined ? 'the process' : `process ${pid}`} that uses DATA_DIR`);
}
