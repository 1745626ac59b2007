const DIALOG = '[role="dialog"]';

function dialogs(): number {
  return document.querySelectorAll(DIALOG).length;
}

/**
 * When the last dialog has gone and nothing has the focus, what had it before the first one opened
 * has it again; where that has gone too, as a row that was removed, the page has it. Dialogs may
 * follow each other: a form is followed by the secret that it made. Returns how to stop.
 */
export function keepFocusOrigin(): () => void {
  let origin: HTMLElement | null = null;
  let wasOpen = false;
  const remember = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLElement && target.closest(DIALOG) === null) origin = target;
  };
  const observer = new MutationObserver(() => {
    const isOpen = dialogs() > 0;
    if (wasOpen && !isOpen && document.activeElement === document.body) {
      const back = origin?.isConnected === true ? origin : document.querySelector('main');
      if (back instanceof HTMLElement) back.focus({ preventScroll: true });
    }
    wasOpen = isOpen;
  });
  document.addEventListener('focusin', remember);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', remember);
    observer.disconnect();
  };
}
