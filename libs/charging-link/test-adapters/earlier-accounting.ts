import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { encodeFrame, FRAME_BYTES_MAX, FrameDecoder } from '../src/frames.js';
import { DecidingCharging } from './deciding-charging.js';
import { SECRET } from './scene.js';

type Message = Readonly<Record<string, unknown>>;

/** An accounting process of protocol version 2, which takes no arrays. */
export class EarlierAccounting {
  readonly charging = new DecidingCharging();
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => this.serve(socket));
  }

  static async start(port = 0): Promise<EarlierAccounting> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return new EarlierAccounting(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `tcp://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    const decoder = new FrameDecoder(FRAME_BYTES_MAX);
    const nonce = randomBytes(32).toString('hex');
    const say = (message: object): void => {
      socket.write(encodeFrame(JSON.stringify([message])));
    };
    let theirs = '';
    socket.on('data', (chunk: Buffer) => {
      for (const message of decoder.push(chunk).flat() as Message[]) {
        const { kind } = message;
        if (kind === 'hello' && message.version !== 2) {
          say({ kind: 'refused', reason: 'version', version: 2 });
          socket.end();
        } else if (kind === 'hello') {
          theirs = String(message.nonce);
          say({ kind: 'challenge', version: 2, nonce });
        } else if (kind === 'proof') {
          if (message.proof === proofOf('api', theirs, nonce)) {
            say({ kind: 'welcome', proof: proofOf('accounting', theirs, nonce) });
            say({ kind: 'ready' });
          } else socket.destroy();
        } else if (kind === 'charge') void this.charge(message, say);
      }
    });
  }

  private async charge(message: Message, say: (message: object) => void): Promise<void> {
    const outcome = await this.charging.charge(message.request as never);
    say({ kind: 'answer', id: message.id, outcome });
  }
}

function proofOf(role: string, apiNonce: string, accountingNonce: string): string {
  return createHmac('sha256', SECRET)
    .update(`popindex charging 2 ${role} ${apiNonce} ${accountingNonce}`)
    .digest('hex');
}
