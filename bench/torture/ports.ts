import { freePort } from '#embedded-postgres/free-port.js';

/** Ports that are free, each given once: whoever is to listen there has not begun yet. */
export class Ports {
  private readonly given = new Set<number>();

  async next(): Promise<number> {
    for (;;) {
      const port = await freePort();
      if (this.given.has(port)) continue;
      this.given.add(port);
      return port;
    }
  }
}
