import { Thread } from './thread.js';

function threadOf(source: string): Thread {
  const text = `import { parentPort, workerData } from 'node:worker_threads'; ${source}`;
  return new Thread({
    program: new URL(`data:text/javascript,${encodeURIComponent(text)}`),
    data: { code: '53100' },
  });
}

test('a thread has done its work when its program has ended', async () => {
  await expect(threadOf('').done()).resolves.toBeUndefined();
});

test('what a program throws is thrown with its code', async () => {
  const thrown = threadOf(`throw Object.assign(new Error('It is full.'), workerData);`).done();
  await expect(thrown).rejects.toMatchObject({ message: 'It is full.', code: '53100' });
});

test('a program that exits by itself has failed, and answers nothing more', async () => {
  const thread = threadOf(`parentPort.on('message', () => process.exit(7));`);
  const asked = expect(thread.channel.ask('anything')).rejects.toThrow('The thread ended with 7.');
  await expect(thread.done()).rejects.toThrow('The thread ended with 7.');
  await asked;
  await expect(thread.channel.ask('more')).rejects.toThrow('The other side has ended.');
});

test('a signal ends a thread, whatever it does', async () => {
  const stopping = new AbortController();
  const done = threadOf('for (;;);').done(stopping.signal);
  stopping.abort(new Error('No more.'));
  await expect(done).rejects.toThrow('No more.');
});
