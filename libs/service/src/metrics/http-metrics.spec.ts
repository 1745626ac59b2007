import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '../../../../test/setup/wait-for.js';
import { Metrics } from './metrics.js';
import { observeHttp } from './http-metrics.js';
import { calledResource, routeGroup } from './route-group.js';

test.each([
  ['GET', '/v1/latest/cat1/trends/top5/popindex/us/beauty', 'metered', 'trends'],
  ['GET', '/v1/2026w47/cat1/related-trends/all/popindex/us/x/formats', 'metered', 'related-trends'],
  ['GET', '/v1/latest/cat5/timeseries/popindex/us/x', 'metered', 'timeseries'],
  ['GET', '/v1/cat1/brands/top5/popindex/us/beauty', 'metered', 'brands'],
  ['GET', '/v1/nonsense', 'metered', 'unknown'],
  ['HEAD', '/v1/latest/cat1/trends/top5/popindex/us/beauty', 'quotes', 'trends'],
  ['POST', '/v1/quotes', 'quotes', 'unknown'],
  ['GET', '/v1/catalog', 'account', 'unknown'],
  ['GET', '/v1/account/calls?limit=1', 'account', 'unknown'],
  ['GET', '/v1/calls/x', 'account', 'unknown'],
  ['POST', '/admin/v1/accounts', 'admin', 'unknown'],
  ['GET', '/readyz', 'service', 'unknown'],
])('%s %s belongs to %s and asks for %s', (method, target, group, resource) => {
  expect([routeGroup(method, target), calledResource(target)]).toEqual([group, resource]);
});

test('calls are counted by resource and status, those with test keys and cut ones apart', async () => {
  const metrics = new Metrics();
  const observe = observeHttp(metrics);
  const server = createServer((request, response) => {
    observe(request, response, request.url ?? '/');
    if (request.url?.includes('brands') === true) request.destroy();
    else response.writeHead(request.url?.includes('402') === true ? 402 : 200).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const call = (path: string, authorization = 'Bearer pix_live_x') =>
    new Promise<void>((resolve) => {
      const options = { port, path: `/v1/latest/${path}/x`, headers: { authorization } };
      const asked = get(options, (answer) => answer.resume().on('end', resolve));
      asked.on('error', () => resolve());
    });
  await call('cat1/trends');
  await call('cat1/trends');
  await call('cat1/trends/402');
  await call('cat5/timeseries', 'Bearer pix_test_x');
  await call('cat1/brands');
  await waitFor('all are counted', async () => (await metrics.text()).includes('brands'));
  server.close();
  const text = await metrics.text();
  expect(text.match(/^popindex_calls_total.*$/gm)).toEqual([
    'popindex_calls_total{resource="trends",status="200",test="false"} 2',
    'popindex_calls_total{resource="trends",status="402",test="false"} 1',
    'popindex_calls_total{resource="timeseries",status="200",test="true"} 1',
    'popindex_calls_total{resource="brands",status="aborted",test="false"} 1',
  ]);
  expect(text).toMatch(/duration_seconds_count\{group="metered",status="200"\} 3$/m);
});
