import { Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { formatCount } from '../../format/credits.js';
import { CLOSE } from '../../ui/confirm-button.js';
import { ProblemNotice } from '../../ui/notice.js';
import { addressOf, askedFor } from './search-address.js';
import css from './search.module.css';
import { SEARCH_LENGTH_MIN, searchQuery } from '../queries.js';
import type { Found } from '../../rest/answers.js';

const TYPING_MS = 200;

const KINDS: Readonly<Record<Found['type'], string>> = {
  account: 'Account',
  member: 'Person',
  api_key: 'API key',
  call: 'Call',
  invoice: 'Invoice',
  credit_note: 'Credit note',
};

interface SearchDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Looks for everything at once. Arrows go through what was found, Enter opens the first of it. */
export function SearchDialog({ opened, onClose }: SearchDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Search" size="lg" closeButtonProps={CLOSE}>
      <Search onClose={onClose} />
    </Modal>
  );
}

/** Text that is typed, and what is found of it: at once with Enter, else when the typing pauses. */
function useSearch(onOpen: (one: Found) => void) {
  const [typed, setTyped] = useState('');
  const [isEntered, setEntered] = useState(false);
  const [paused] = useDebouncedValue(askedFor(typed), TYPING_MS);
  const text = isEntered ? askedFor(typed) : paused;
  const answer = useQuery(searchQuery(text));
  const isAsked = text.length >= SEARCH_LENGTH_MIN;
  const found = isAsked ? (answer.data ?? []) : [];
  // Enter may come before the answer to what was typed.
  const wanted = isEntered && !answer.isPlaceholderData ? found[0] : undefined;
  useEffect(() => {
    if (wanted !== undefined) onOpen(wanted);
  }, [wanted, onOpen]);
  const type = (next: string): void => {
    setTyped(next);
    setEntered(false);
  };
  return { typed, type, enter: () => setEntered(true), answer, isAsked, found };
}

function Search({ onClose }: Pick<SearchDialogProps, 'onClose'>) {
  const box = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const onOpen = useCallback(
    (one: Found) => {
      onClose();
      void navigate({ to: addressOf(one) as string });
    },
    [onClose, navigate],
  );
  const { typed, type, enter, answer, isAsked, found } = useSearch(onOpen);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const stops = [...(box.current?.querySelectorAll<HTMLElement>('input, a') ?? [])];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    stops[Math.min(stops.length - 1, Math.max(0, at + step))]?.focus();
  };
  return (
    <div ref={box} role="search" aria-label="Search everything" onKeyDown={onKeyDown}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          enter();
        }}
      >
        <TextInput
          type="search"
          label="Account, person, API key, call or invoice"
          description="A name, an e-mail address, an id, a number, the last four characters of a key"
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
          data-autofocus
        />
      </form>
      {answer.isError && isAsked && <ProblemNotice error={answer.error} />}
      <p className={css.status} role="status">
        {!isAsked ? '' : answer.data === undefined ? '…' : `${formatCount(found.length, 'hit')}`}
      </p>
      <ul className={css.found} aria-label="Found">
        {found.map((one) => (
          <li key={`${one.type} ${one.id}`}>
            <Link to={addressOf(one) as string} className={css.item} onClick={onClose}>
              <span className={css.kind}>{KINDS[one.type]}</span>
              <span className={css.text}>
                <strong>{one.text}</strong> <span className={css.detail}>{detailOf(one)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function detailOf({ type, account_name: name, detail }: Found): string {
  const account = type === 'account' ? null : (name ?? 'erased account');
  return [account, detail].filter((part) => part !== null).join(' · ');
}
