import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, type ReactNode } from 'react';
import { Icon } from '../../ui/icon.js';
import { SearchDialog } from './search-dialog.js';
import css from './search.module.css';

interface SearchKeysProps {
  readonly disabled: boolean;
  /** The frame, with a button that opens the search. */
  readonly children: (button: ((isSmall: boolean) => ReactNode) | undefined) => ReactNode;
}

/** The search over everything: Ctrl-K or ⌘K opens it anywhere, and so do its buttons. */
export function SearchKeys({ disabled, children }: SearchKeysProps) {
  const [isOpen, { open, close }] = useDisclosure();
  useEffect(() => {
    if (disabled) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [disabled, open]);
  if (disabled) return children(undefined);
  return (
    <>
      {children((isSmall) => (
        <SearchButton isSmall={isSmall} onOpen={open} />
      ))}
      <SearchDialog opened={isOpen} onClose={close} />
    </>
  );
}

interface SearchButtonProps {
  readonly isSmall: boolean;
  readonly onOpen: () => void;
}

function SearchButton({ isSmall, onOpen }: SearchButtonProps) {
  if (isSmall) {
    return (
      <ActionIcon
        className={css.small}
        variant="subtle"
        color="gray"
        onClick={onOpen}
        aria-label="Search"
      >
        <Icon name="explorer" size={20} />
      </ActionIcon>
    );
  }
  return (
    <button type="button" className={css.open} onClick={onOpen} aria-keyshortcuts="Control+K">
      <Icon name="explorer" size={16} />
      <span>Search</span>
      <kbd aria-hidden="true">Ctrl K</kbd>
    </button>
  );
}
