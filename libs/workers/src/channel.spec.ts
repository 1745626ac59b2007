import { EventEmitter } from 'node:events';
import { Channel, type Answers } from './channel.js';
import { processPort } from './process-port.js';

/** Two ends of a channel whose messages are copied, as between processes; perhaps each twice. */
function channels(left: Answers, right: Answers, times = 1) {
  const [toLeft, toRight] = [new EventEmitter(), new EventEmitter()];
  const sent: unknown[] = [];
  const port = (to: EventEmitter, from: EventEmitter) =>
    processPort(from, (message) => {
      sent.push(message);
      for (let time = 0; time < times; time += 1) {
        setImmediate(() => to.emit('message', JSON.parse(JSON.stringify(message))));
      }
    });
  return {
    left: new Channel(port(toRight, toLeft), left),
    right: new Channel(port(toLeft, toRight), right),
    toLeft,
    sent,
  };
}

test('each question has its answer, whatever is asked at the same time', async () => {
  const { left, right } = channels(
    { double: (value: number) => value * 2 },
    { add: async ([a, b]: [number, number]) => a + b },
  );
  const asked = [left.ask('add', [1, 2]), right.ask('double', 21), left.ask('add', [3, 4])];
  expect(await Promise.all(asked)).toEqual([3, 42, 7]);
});

test('what cannot be answered is a fault of the one who asks', async () => {
  const { left } = channels(
    {},
    {
      fail: () => {
        throw new Error('The disk is full.');
      },
    },
  );
  await expect(left.ask('fail')).rejects.toThrow('The disk is full.');
  await expect(left.ask('fly')).rejects.toThrow('Nothing answers "fly".');
});

test('who asks a process that ends is not left waiting', async () => {
  const { left } = channels({}, { never: () => new Promise(() => undefined) });
  const asked = left.ask('never');
  left.end();
  await expect(asked).rejects.toThrow('ended');
  await expect(left.ask('never')).rejects.toThrow('ended');
});

test('an error crosses with its code and its cause', async () => {
  const full = Object.assign(new Error('No space.', { cause: new Error('disk') }), {
    code: '53100',
  });
  const { left } = channels({}, { fail: () => Promise.reject(full) });
  await expect(left.ask('fail')).rejects.toMatchObject({
    message: 'No space.',
    code: '53100',
    cause: { message: 'disk' },
  });
});

test('messages of others on the same channel are left alone', async () => {
  const { left, right, toLeft } = channels({}, { one: () => 1 });
  toLeft.emit('message', { cmd: 'something else' });
  toLeft.emit('message', null);
  expect(await left.ask('one')).toBe(1);
  right.end();
});

test('what is said in one turn goes in one message each way', async () => {
  const { left, sent } = channels({}, { double: (value: number) => value * 2 });
  const asked = Array.from({ length: 50 }, (_, value) => left.ask('double', value));
  expect(await Promise.all(asked)).toEqual(asked.map((_, value) => value * 2));
  expect(sent).toHaveLength(2);
});

test('a message that comes twice is answered once', async () => {
  const answered: number[] = [];
  const { left } = channels({}, { count: (value: number) => answered.push(value) }, 2);
  await left.ask('count', 1);
  await left.ask('count', 2);
  expect(answered).toEqual([1, 2]);
});

test('an answer that is late for who asked is not waited for', async () => {
  const { left } = channels({}, { never: () => new Promise(() => undefined), one: () => 1 });
  const late = left.ask('never', null, 10);
  const other = left.ask('one');
  left.giveUpLate(10);
  left.giveUpLate(11);
  await expect(late).rejects.toThrow('did not answer in time');
  expect(await other).toBe(1);
});
