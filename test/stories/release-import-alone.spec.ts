import { DataFolder } from '../setup/data-folder.js';
import { DemoFiles } from '../setup/demo-files.js';
import { Program } from '../setup/program.js';
import { ADMIN_TOKEN, ServiceClient } from '../setup/service.js';
import { freePorts } from '../setup/started-service.js';

const TOP_5 = '/v1/latest/cat1/trends/top5/popindex/us/beauty';

test('an import starts the embedded database for itself, and the next start serves it', async () => {
  await Program.build();
  const [files, data] = [await DemoFiles.make(), await DataFolder.make()];
  const env = { DATA_DIR: data.path };
  const september = await files.release('2026-09-01');
  const command = Program.popindex(['release', 'import', september], env);
  expect(await command.ended).toBe(0);
  expect(command.stdout).toMatch(/^Release r1 serves from window \d{4}w\d\d on/);
  expect(data.postmaster).toBeUndefined();

  const ports = await freePorts();
  const program = await Program.start({ ...env, ...ports, ADMIN_TOKEN, DEMO: 'false' }).ready();
  try {
    const [api, admin] = [ports.API_PORT, ports.ACCOUNTING_PORT];
    const urls = [api, admin].map((port) => `http://127.0.0.1:${port}`);
    const customer = await new ServiceClient(urls[0] ?? '', urls[1] ?? '').customer(100_000);
    const answer = await customer.get(TOP_5);
    expect([answer.status, answer.headers.get('data-release')]).toEqual([200, 'r1']);
  } finally {
    await program.stop();
    await data.remove();
    await files.remove();
  }
}, 120_000);
