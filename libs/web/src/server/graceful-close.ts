import type { Server } from 'node:http';

interface ClosableServer {
  close(): Promise<unknown>;
  getHttpServer(): Server;
}

/**
 * Stops an HTTP application: takes no new connection, answers what is under way, and after
 * `deadlineMs` cuts whatever is still open.
 */
export async function gracefulClose(app: ClosableServer, deadlineMs: number): Promise<void> {
  const server = app.getHttpServer();
  const cut = setTimeout(() => server.closeAllConnections(), deadlineMs);
  // Connections that went idle since the last look would hold the server open until they time out.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
    clearInterval(sweep);
  }
}
