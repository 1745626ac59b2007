import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and text as they were sent. */
  readonly source: string;
}

/** A mail server on this machine. */
export class MailServer {
  readonly taken: TakenMail[] = [];
  /** SMTP codes with which these addresses are refused. */
  readonly refused = new Map<string, number>();
  private readonly server: SMTPServer;

  private constructor() {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: ({ address }, _session, callback) => {
        const code = this.refused.get(address);
        if (code === undefined) return callback();
        callback(Object.assign(new Error(`no ${address} here`), { responseCode: code }));
      },
      onData: (stream, { envelope }, callback) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          this.taken.push({
            from: envelope.mailFrom === false ? '' : (envelope.mailFrom?.address ?? ''),
            to: envelope.rcptTo.map(({ address }) => address),
            source: Buffer.concat(chunks).toString('utf8'),
          });
          callback();
        });
      },
    });
    // A client that goes away in the middle is part of the game.
    this.server.on('error', () => undefined);
  }

  static async start(): Promise<MailServer> {
    const mails = new MailServer();
    const listening = mails.server.listen(0, '127.0.0.1');
    if (!listening.listening) await once(listening, 'listening');
    return mails;
  }

  get url(): string {
    const { port } = this.server.server.address() as AddressInfo;
    return `smtp://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
