/**
 * Characters that nobody sees, and marks that writers may leave out: accents, vowel marks of Arabic
 * and Hebrew. Marks that are letters of their script (of Hindi, Thai, Tamil) stay, and so do those
 * of Japanese, which make another sound.
 */
const LEFT_OUT =
  /\p{Default_Ignorable_Code_Point}|(?![\u3099\u309a])(?=\p{M})[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Greek}\p{Script=Cyrillic}]/gu;
const WORD = /[\p{L}\p{N}\p{M}]+|\p{S}/gu;
const PUNCTUATION = /[^\p{L}\p{N}\p{M}\p{S}\p{Z}\p{C}]/gu;
/** Characters of a word by which it is found. */
const CHARACTERS_MAX = 100;

/**
 * A text as it is compared in searches: alike for all normal forms, cases, ligatures, widths, and
 * with or without accents. For comparison only, never shown.
 */
export function foldText(text: string): string {
  // Capitals are where several small letters meet: ß and ss, ς and σ, ı and i.
  const cased = decomposed(decomposed(text).toLowerCase()).toUpperCase().toLowerCase();
  return decomposed(cased).replaceAll('ς', 'σ').replaceAll(LEFT_OUT, '');
}

/** The words and signs of a name, and behind them its punctuation, as a search finds them. */
export function wordsOfName(name: string): readonly string[] {
  const folded = foldText(name);
  return [...cut(folded.match(WORD)), ...new Set(folded.match(PUNCTUATION))];
}

/** The words of a search for beginnings; of one that is nothing but punctuation its characters. */
export function wordsOfSearch(search: string): readonly string[] {
  const folded = foldText(search);
  const words = cut(folded.match(WORD));
  return words.length > 0 ? words : [...new Set(folded.match(PUNCTUATION))];
}

/** Whether a name holds all words and punctuation of a search; one without any finds nothing. */
export function holdsWords(name: string, search: string): boolean {
  const text = wordsOfName(name).join(' ');
  const words = wordsOfName(search);
  return words.length > 0 && words.every((word) => text.includes(word));
}

function decomposed(text: string): string {
  return text.normalize('NFKD');
}

function cut(words: readonly string[] | null): string[] {
  return (words ?? []).map((word) => Array.from(word).slice(0, CHARACTERS_MAX).join(''));
}
