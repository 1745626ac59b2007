import type { Message, MessagePort } from './channel.js';

/** Where messages of another process arrive. */
interface OtherProcess {
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** A port between processes, over which Node passes messages of others, too. */
export function processPort(other: OtherProcess, send: (message: object) => unknown): MessagePort {
  return {
    send: (messages) => send({ popindex: messages }),
    onMessages: (listener) =>
      other.on('message', (message) => {
        const { popindex } = Object(message) as { popindex?: readonly Message[] };
        if (popindex !== undefined) listener(popindex);
      }),
  };
}
