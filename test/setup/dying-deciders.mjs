// Loaded with `node --import` into a process of the service: each SIGUSR2 ends one of its deciders
// by an error that nothing catches, the owner of the first lane and another one in turns.
import { BroadcastChannel, isMainThread, workerData } from 'node:worker_threads';

const channel = new BroadcastChannel('dying deciders');
let signals = 0;

if (isMainThread) {
  process.on('SIGUSR2', () => channel.postMessage(signals++));
} else if (workerData?.groups !== undefined) {
  const isFirst = workerData.groups[0].includes(0);
  channel.onmessage = ({ data }) => {
    if (isFirst !== (data % 2 === 0)) return;
    setImmediate(() => {
      throw new Error('An error that nothing catches.');
    });
  };
}
channel.unref();
