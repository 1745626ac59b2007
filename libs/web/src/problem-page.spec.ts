import { escapeHtml, inlineCode } from './html.js';
import { PROBLEM_GUIDE } from './problem-guide.js';
import { isProblemSlug, problemExample, problemPage } from './problem-page.js';
import { PROBLEMS, problem, problemBody, type ProblemSlug } from './problem.js';
import { problemSchemas } from './problem-schemas.js';

const BASE = 'https://api.example';
const slugs = Object.keys(PROBLEMS) as ProblemSlug[];

describe('a problem', () => {
  it('is the members of the standard, and those of its own behind them', () => {
    const body = problemBody(problem('conflict', 'No.', { a: 1 }), BASE, 'id');
    expect(body).toBe(
      '{"type":"https://api.example/problems/conflict","code":"conflict",' +
        '"title":"The request conflicts with the current state","status":409,"detail":"No.",' +
        '"instance":"urn:uuid:id","a":1}\n',
    );
  });

  it.each(slugs)('%s has an example with exactly the members of its schema', (slug) => {
    const schema = problemSchemas([slug])[`Problem-${slug}`] as { required: string[] };
    expect(Object.keys(problemExample(slug, BASE)).toSorted()).toEqual(schema.required.toSorted());
    expect(problemPage(slug, BASE)).toContain(`${BASE}/problems/${slug}`);
  });

  it('has a guide, and no guide is of another or empty', () => {
    expect(Object.keys(PROBLEM_GUIDE).toSorted()).toEqual(slugs.toSorted());
    const texts = Object.values(PROBLEM_GUIDE).flatMap(({ example, ...own }) => [
      ...Object.values(own),
      example.detail,
    ]);
    expect(texts.filter((text) => text.trim() === '')).toEqual([]);
  });

  it('is known by its slug and not by a member of every object', () => {
    expect(isProblemSlug('internal')).toBe(true);
    expect(isProblemSlug('constructor')).toBe(false);
    expect(isProblemSlug('__proto__')).toBe(false);
  });
});

describe('HTML', () => {
  it('shows text as text', () => {
    expect(escapeHtml(`<a href="x">'&'</a>`)).toBe(
      '&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;',
    );
    expect(inlineCode('`<b>` & c')).toBe('<code>&lt;b&gt;</code> &amp; c');
  });
});
