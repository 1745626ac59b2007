import { invalidBody } from './body.js';
import { invalidParameters, type ParameterFault } from './parameter-fault.js';
import { PROBLEM_GUIDE } from './problem-guide.js';
import type { JsonFault } from './strict-json.js';

const query = (fault: Partial<ParameterFault>): ParameterFault => ({
  in: 'query',
  name: 'limit',
  value: '0',
  ...fault,
});

const textOf = (fault: Partial<ParameterFault>): string => invalidParameters([query(fault)]).detail;
const bodyText = (...faults: JsonFault[]): string => invalidBody(faults).problem.detail;

describe('the detail of what is wrong with a request', () => {
  it.each<[string, Partial<ParameterFault>, string]>([
    [
      'what is allowed',
      { name: 'region', value: 'de', allowed: ['us', 'gb'] },
      'region: "de" is not one of us, gb.',
    ],
    ['what is missing', { value: null, allowed: ['us', 'gb'] }, 'limit is missing: one of us, gb.'],
    ['a form', { detail: 'This must be a UUID.' }, 'limit: "0" is not a UUID.'],
    ['a bound', { detail: 'This must be at least 1.' }, 'limit: "0" must be at least 1.'],
    [
      'a form without a value',
      { value: null, detail: 'This is missing: a text.' },
      'limit is missing: a text.',
    ],
    [
      'a rule of several',
      { detail: 'Only with format=journal.' },
      'limit: Only with format=journal.',
    ],
    ['a name nobody would read', { name: 'a\n b', detail: 'No.' }, '"a\\n b": No.'],
    ['the message itself', { in: 'request', value: null, detail: 'No HTTP.' }, 'No HTTP.'],
  ])('says what would be right: %s', (_what, fault, text) => {
    expect(textOf(fault)).toBe(text);
  });

  it.each<[JsonFault, string]>([
    [{ pointer: '/urls', detail: 'This is missing: a list.' }, '/urls is missing: a list.'],
    [{ pointer: '', detail: 'This must be an object.' }, 'The body must be an object.'],
    [
      { pointer: '/urls/0', detail: 'A JSON value is missing (line 1, column 10).' },
      '/urls/0: A JSON value is missing (line 1, column 10).',
    ],
    [
      { pointer: '', detail: 'Something follows the JSON value.' },
      'Something follows the JSON value.',
    ],
  ])('names the place in a body: %j', (fault, text) => {
    expect(bodyText(fault)).toBe(text);
  });

  it('names several at once, those of the body behind the parameters', () => {
    const errors = [{ pointer: '/name', detail: 'This is missing: a text.' }];
    const { detail, members } = invalidParameters(
      [query({ detail: 'This must be a UUID.' })],
      errors,
    );
    expect(detail).toBe('limit: "0" is not a UUID. /name is missing: a text.');
    expect(members).toMatchObject({ parameters: [{ name: 'limit' }], errors });
  });

  it('is a sentence or two, however much is wrong', () => {
    const many = Array.from({ length: 90 }, (_, line) => `/lines/${line}`);
    const faults = many.map((pointer) => ({ pointer, detail: 'This must be a text.' }));
    expect(bodyText(...faults)).toMatch(
      /^\/lines\/0 must be a text\. .*\/lines\/4 .* And 85 more\.$/,
    );
    const long = query({
      name: 'n'.repeat(900),
      value: 'v'.repeat(900),
      allowed: ['w'.repeat(9_000)],
    });
    expect(invalidParameters([long, long]).detail.length).toBeLessThan(700);
  });

  it('is what the guides of both problems show', () => {
    const parameters = PROBLEM_GUIDE['invalid-parameter'].example;
    expect(textOf((parameters['parameters'] as ParameterFault[])[0] ?? {})).toBe(parameters.detail);
    const body = PROBLEM_GUIDE['invalid-body'].example;
    expect(bodyText(...(body['errors'] as JsonFault[]))).toBe(body.detail);
  });
});
