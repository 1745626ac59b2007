import type { Locator, Page } from 'playwright-core';

/** Types into the fields of a form, by their labels. */
export async function fillIn(
  form: Locator,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    await form.getByRole('textbox', { name: label, exact: true }).fill(value);
  }
}

/** An expression, because these tests know no types of the DOM. */
const WORDS_AT_FIELDS = `Object.fromEntries(
  Array.from(document.querySelectorAll('[aria-invalid=true]'), (input) => {
    const label = input.labels?.[0]?.textContent || input.getAttribute('aria-label');
    const ids = (input.getAttribute('aria-describedby') ?? '').split(' ');
    const id = ids.find((each) => each.endsWith('-error'));
    return [label, document.getElementById(id)?.textContent ?? ''];
  }))`;

/** The labels of the fields at which a refused form says something, in their order. */
export async function faultyFields(page: Page): Promise<readonly string[]> {
  await page.locator('[aria-invalid=true]').first().waitFor();
  const faults = await page.evaluate<Record<string, string>>(WORDS_AT_FIELDS);
  expect(Object.values(faults)).not.toContain('');
  return Object.keys(faults);
}

/** Sends a form that is right, which puts it away. */
export async function send(form: Locator, name: string): Promise<void> {
  await form.getByRole('button', { name, exact: true }).click();
  await form.waitFor({ state: 'detached' });
}

/** Presses what asks once before it is done, says why, and does it. */
export async function actWithReason(
  page: Page,
  button: Locator,
  { confirm, reason }: { readonly confirm: string; readonly reason: string },
): Promise<void> {
  await button.click();
  const isAsked = page.getByRole('button', { name: confirm, exact: true });
  const question = page.getByRole('dialog').filter({ has: isAsked });
  await fillIn(question, { 'Reason (optional)': reason });
  await send(question, confirm);
}

/** Opens what asks before something is done, reads what it states, and leaves it undone. */
export async function expectStated(
  page: Page,
  button: Locator,
  texts: readonly (string | RegExp)[],
): Promise<void> {
  await button.click();
  const cancel = page.getByRole('button', { name: 'Cancel', exact: true });
  const question = page.getByRole('dialog').filter({ has: cancel });
  for (const text of texts) await question.getByText(text).first().waitFor();
  await cancel.click();
  await question.waitFor({ state: 'detached' });
}
