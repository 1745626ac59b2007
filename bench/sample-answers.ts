import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** An answer as it was sent. */
export interface SampleAnswer {
  /** Names and values in turn, without what `node:http` adds by itself. */
  readonly headers: string[];
  readonly body: string;
}

const SAMPLES = 50;
const ADDED: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive']);

async function sampleAnswer(url: string, apiKey: string): Promise<SampleAnswer> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers }, resolve).on('error', reject);
  });
  const body = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${body}`);
  const kept: string[] = [];
  for (let index = 0; index < answer.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = answer.rawHeaders.slice(index, index + 2);
    if (!ADDED.has(name.toLowerCase())) kept.push(name, value);
  }
  return { headers: kept, body };
}

/** Answers of a server to paths from all over a list. */
export async function sampleAnswers(
  url: string,
  apiKey: string,
  paths: readonly string[],
): Promise<SampleAnswer[]> {
  const step = Math.ceil(paths.length / SAMPLES);
  const chosen = paths.filter((_, index) => index % step === 0);
  const answers: SampleAnswer[] = [];
  for (const path of chosen) answers.push(await sampleAnswer(url + path, apiKey));
  return answers;
}
