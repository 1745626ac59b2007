import { createServer, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves several servers of this machine below paths of one address, which they never see. */
export class PathProxy {
  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  /** `ports`: of the servers, by path such as `/popindex`. */
  static async start(ports: Readonly<Record<string, number>>): Promise<PathProxy> {
    const server = createServer((request, response) => {
      const [path, port] =
        Object.entries(ports).find(([each]) => request.url?.startsWith(`${each}/`)) ?? [];
      if (path === undefined) {
        response.writeHead(421).end();
        return;
      }
      const { method, headers, url = '' } = request;
      const options = { host: '127.0.0.1', port, method, headers, path: url.slice(path.length) };
      const asked = ask(options, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(response);
      });
      asked.on('error', () => response.destroy());
      response.on('close', () => asked.destroy());
      request.pipe(asked);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new PathProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server);
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
