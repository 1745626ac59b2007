import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** An element of an independent reader: elements by name, each a list; texts and attributes. */
export interface XmlTree {
  readonly [name: string]: readonly XmlTree[] | string | undefined;
}

const TEXT = '#text';
const ATTRIBUTE = '@';

/** Reads XML that is well-formed, or throws. */
export function xmlTree(xml: string): XmlTree {
  const valid = XMLValidator.validate(xml);
  if (valid !== true) throw new Error(valid.err.msg);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: ATTRIBUTE,
    textNodeName: TEXT,
    alwaysCreateTextNode: true,
    parseTagValue: false,
    parseAttributeValue: false,
    isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
  });
  return parser.parse(xml) as XmlTree;
}

/** All elements at a path such as `cac:Party/cbc:Name`. */
export function all(tree: XmlTree, path: string): readonly XmlTree[] {
  return path
    .split('/')
    .reduce<readonly XmlTree[]>(
      (trees, name) => trees.flatMap((one) => children(one, name)),
      [tree],
    );
}

function children(tree: XmlTree, name: string): readonly XmlTree[] {
  const found = tree[name];
  return typeof found === 'object' ? found : [];
}

/** Texts of all elements at a path, without those that are blank. */
export function texts(tree: XmlTree, path: string): string[] {
  return strings(all(tree, path), TEXT)
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

function strings(trees: readonly XmlTree[], name: string): string[] {
  return trees.map((tree) => tree[name]).filter((value) => typeof value === 'string');
}

export function text(tree: XmlTree, path: string): string | undefined {
  return texts(tree, path)[0];
}

/** Values of an attribute of all elements at a path. */
export function attributes(tree: XmlTree, path: string, name: string): string[] {
  return strings(all(tree, path), `${ATTRIBUTE}${name}`);
}
