import { setImmediate as turn } from 'node:timers/promises';
import { FRAME_BYTES_MAX, FrameDecoder } from './frames.js';
import { Outbox } from './outbox.js';

interface Written {
  readonly messages: unknown[];
  readonly done: () => void;
}

function outbox(onDrained?: () => void): { outbox: Outbox; written: Written[] } {
  const written: Written[] = [];
  const decoder = new FrameDecoder(FRAME_BYTES_MAX);
  const write = (frame: Buffer, done: () => void): void => {
    const [messages] = decoder.push(frame);
    written.push({ messages: messages as unknown[], done });
  };
  return { outbox: new Outbox(write, onDrained), written };
}

test('all messages of one turn leave as one frame, in order', async () => {
  const { outbox: box, written } = outbox();
  for (let n = 1; n <= 3; n++) box.push(String(n));
  expect(written).toEqual([]);
  await turn();
  expect(written.map(({ messages }) => messages)).toEqual([[1, 2, 3]]);
});

test('messages that come while a frame is being written leave together after it', async () => {
  const { outbox: box, written } = outbox();
  box.push('1');
  await turn();
  box.push('2');
  await turn();
  box.push('3');
  await turn();
  expect(written.map(({ messages }) => messages)).toEqual([[1]]);
  written[0]?.done();
  expect(written.map(({ messages }) => messages)).toEqual([[1], [2, 3]]);
});

test('a frame is bounded by its number of messages, and nothing is lost at the bound', async () => {
  const { outbox: box, written } = outbox();
  for (let n = 0; n < 3_000; n++) box.push(String(n));
  await turn();
  for (let index = 0; index < written.length; index++) written[index]?.done();
  expect(written.every(({ messages }) => messages.length <= 1_024)).toBe(true);
  expect(written.flatMap(({ messages }) => messages)).toEqual(
    Array.from({ length: 3_000 }, (_, n) => n),
  );
});

test('a frame is bounded by its bytes, and a large message travels alone', async () => {
  const { outbox: box, written } = outbox();
  const large = JSON.stringify('x'.repeat(2 * 1024 * 1024));
  box.push('1');
  box.push(large);
  box.push('2');
  await turn();
  for (let index = 0; index < written.length; index++) written[index]?.done();
  expect(written.map(({ messages }) => messages.length)).toEqual([1, 1, 1]);
});

test('a message that fits no frame is refused, and the others leave', async () => {
  const { outbox: box, written } = outbox();
  box.push('1');
  expect(() => box.push(JSON.stringify('x'.repeat(FRAME_BYTES_MAX)))).toThrow(RangeError);
  await turn();
  expect(written.map(({ messages }) => messages)).toEqual([[1]]);
});

test('a message is sent when it is handed over, and one that was dropped before never is', async () => {
  const { outbox: box, written } = outbox();
  const first = box.push('1');
  const second = box.push('2');
  expect(first.state).toBe('queued');
  second.state = 'dropped';
  await turn();
  expect(first.state).toBe('sent');
  expect(second.state).toBe('dropped');
  expect(written.map(({ messages }) => messages)).toEqual([[1]]);
});

test('it says when nothing is left', async () => {
  const onDrained = jest.fn();
  const { outbox: box, written } = outbox(onDrained);
  box.push('1');
  await turn();
  expect(box.drained).toBe(false);
  expect(onDrained).not.toHaveBeenCalled();
  written[0]?.done();
  expect(box.drained).toBe(true);
  expect(onDrained).toHaveBeenCalledTimes(1);
});
