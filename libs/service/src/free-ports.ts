import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Configuration } from '#web/configuration.js';
import { withPorts } from '#web/configuration-urls.js';
import { listenOn } from '#web/startup-error.js';

/** Listens for a moment, to see whether it can be done; port 0 is any free one. */
async function probe(host: string, wanted: number): Promise<number> {
  const server = createServer().listen(wanted, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

type Port = 'apiPort' | 'accountingPort' | 'chargingPort' | 'portalPort';

const VARIABLES: Readonly<Record<Port, string>> = {
  apiPort: 'API_PORT',
  accountingPort: 'ACCOUNTING_PORT',
  chargingPort: 'CHARGING_PORT',
  portalPort: 'PORTAL_PORT',
};

/**
 * The configuration with these ports chosen where they were given as 0, so that links can name
 * them. Throws StartupError for a port that cannot be had, before anything else has begun.
 */
export async function chooseFreePorts(
  configuration: Configuration,
  ports: readonly Port[],
): Promise<Configuration> {
  const { host } = configuration;
  const chosen: Partial<Record<Port, number>> = {};
  for (const port of ports) {
    const wanted = configuration[port];
    chosen[port] = await listenOn(VARIABLES[port], host, wanted, () => probe(host, wanted));
  }
  return withPorts({ ...configuration, ...chosen }, {});
}
