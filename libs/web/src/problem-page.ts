import { escapeHtml, htmlPage, inlineCode } from './html.js';
import { PROBLEMS, type ProblemSlug, problem, problemBody } from './problem.js';
import { PROBLEM_GUIDE } from './problem-guide.js';

const EXAMPLE_REQUEST = '0d9f3b0e-52c4-4f7e-8a86-4b1f0f1c9d2a';

/** An example of a problem, whole, as it is sent. */
export function problemExample(slug: ProblemSlug, baseUrl: string): Record<string, unknown> {
  const { detail, ...members } = PROBLEM_GUIDE[slug].example;
  const text = problemBody(problem(slug, detail, members), baseUrl, EXAMPLE_REQUEST);
  return JSON.parse(text) as Record<string, unknown>;
}

export function isProblemSlug(text: string): text is ProblemSlug {
  return Object.hasOwn(PROBLEMS, text);
}

/** The page that the `type` of a problem leads to. */
export function problemPage(slug: ProblemSlug, baseUrl: string): string {
  const { status, title } = PROBLEMS[slug];
  const guide = PROBLEM_GUIDE[slug];
  const example = JSON.stringify(problemExample(slug, baseUrl), null, 2);
  return htmlPage(
    `${title} (${slug})`,
    `<p><a href="../problems">All problems</a> · <a href="../docs">Reference</a></p>` +
      `<h1>${escapeHtml(title)}</h1>` +
      `<p><span class="status">${status}</span> <code>${slug}</code></p>` +
      `<h3>What it means</h3><p>${inlineCode(guide.meaning)}</p>` +
      `<h3>When it comes</h3><p>${inlineCode(guide.when)}</p>` +
      `<h3>What to do</h3><p>${inlineCode(guide.solution)}</p>` +
      `<h3>Example</h3><pre><code>${escapeHtml(example)}</code></pre>`,
  );
}

/** The list of all problems. */
export function problemsPage(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([slug, { status, title }]) =>
      `<tr><td>${status}</td><td><a href="./problems/${slug}"><code>${slug}</code></a></td>` +
      `<td>${escapeHtml(title)}</td></tr>`,
  );
  return htmlPage('Problems', `<h1>Problems</h1><table>${rows.join('')}</table>`);
}
