import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Configuration } from '#web/configuration.js';
import { withPorts } from '#web/configuration-urls.js';

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The configuration with every port that was given as 0 chosen, so that links can name it. */
export async function chooseFreePorts(configuration: Configuration): Promise<Configuration> {
  const { host, apiPort, accountingPort, portalPort } = configuration;
  const chosen = (port: number): Promise<number> | number => (port === 0 ? freePort(host) : port);
  return withPorts(configuration, {
    apiPort: await chosen(apiPort),
    accountingPort: await chosen(accountingPort),
    portalPort: await chosen(portalPort),
  });
}
