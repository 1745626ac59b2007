import { describePath } from '../format/resource-path.js';
import css from './resource-words.module.css';

interface ResourceWordsProps {
  readonly path: string;
  /** Finds the name of an item, where the page knows it. */
  readonly nameOf: (item: string) => string | undefined;
  /** Where the same URL stands for several windows. */
  readonly withWindow?: boolean;
}

/** A key or path in words for people; as it stands on hover. */
export function ResourceWords({ path, nameOf, withWindow = false }: ResourceWordsProps) {
  const described = describePath(path, nameOf);
  const { title } = described;
  const details = withWindow ? `${described.details} · ${described.window}` : described.details;
  return (
    <span className={css.name} title={path}>
      <span className={css.title}>{title}</span>
      {details !== '' && <span className={css.details}>{details}</span>}
    </span>
  );
}
