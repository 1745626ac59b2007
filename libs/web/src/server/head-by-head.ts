import type { Socket } from 'node:net';

const END_OF_HEAD = '\r\n\r\n';

/**
 * Has a socket read one request after the other, and none once `isOver`. Node by itself reads all
 * that came at once, some hundred requests perhaps, also if the first of them gets the last answer.
 * To be called once Node listens to the socket.
 */
export function readHeadByHead(socket: Socket, isOver: () => boolean): void {
  const [read] = socket.listeners('data');
  if (read === undefined) return;
  // This also takes the socket from the reader inside of Node that passes nothing on.
  socket.removeAllListeners('data').on('data', (bytes: Buffer) => {
    for (let start = 0; start < bytes.length && !isOver();) {
      // Too many answers wait to be sent: Node reads on once they are.
      if (socket.isPaused()) {
        socket.unshift(bytes.subarray(start));
        return;
      }
      const found = bytes.indexOf(END_OF_HEAD, start);
      const end = found === -1 ? bytes.length : found + END_OF_HEAD.length;
      read.call(socket, bytes.subarray(start, end));
      start = end;
    }
  });
}
