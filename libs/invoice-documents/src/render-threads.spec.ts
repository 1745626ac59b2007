import { threadOfSources } from '../../../test/setup/thread-of-sources.js';
import { renderDocuments, type RenderInput } from './render-documents.js';
import { RenderThreads } from './render-threads.js';
import { inputOf, sampleCreditNote, sampleInvoice } from './sample-documents.suite.js';

const program = threadOfSources('libs/invoice-documents/src/render-thread.ts');

let threads: RenderThreads;

beforeEach(() => {
  threads = new RenderThreads({ count: 2, program });
});

afterEach(() => threads.stop());

function numbered(number: string): RenderInput {
  return inputOf(sampleInvoice({ number }));
}

test('threads render what is rendered without them, in the order of each list', async () => {
  const lists = [
    [numbered('INV-000001'), inputOf(sampleCreditNote())],
    [numbered('INV-000002')],
    [numbered('INV-000003'), numbered('INV-000004')],
  ];
  const rendered = await Promise.all(lists.map((list) => threads.render(list)));
  const plain = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString('latin1');
  const texts = rendered.map((list) => list.map(({ pdf, xml }) => [plain(pdf), plain(xml)]));
  expect(texts).toEqual(
    lists.map((list) => list.map(renderDocuments).map(({ pdf, xml }) => [plain(pdf), plain(xml)])),
  );
});

test('what cannot be rendered fails its own list only, with the reason', async () => {
  const broken = inputOf(sampleInvoice({ tax_breakdown: [] }));
  const [failed, fine] = await Promise.allSettled([
    threads.render([broken]),
    threads.render([numbered('INV-000005')]),
  ]);
  expect(failed).toMatchObject({
    status: 'rejected',
    reason: { message: 'A document has one tax category, not 0.' },
  });
  expect(fine.status).toBe('fulfilled');
});

test('a thread that cannot start fails the lists that it was to work on', async () => {
  const lost = new RenderThreads({ count: 1, program: new URL('file:///nowhere.js') });
  await expect(lost.render([numbered('INV-000006')])).rejects.toThrow('nowhere.js');
  await expect(lost.render([numbered('INV-000007')])).rejects.toThrow('nowhere.js');
  await lost.stop();
});

test('after a stop nothing is rendered, and waiting lists fail', async () => {
  const started = threads.render([numbered('INV-000008')]);
  const [outcome] = await Promise.allSettled([started, threads.stop()]);
  expect(outcome.status).toBe('rejected');
  await expect(threads.render([numbered('INV-000009')])).rejects.toThrow('were stopped');
});
