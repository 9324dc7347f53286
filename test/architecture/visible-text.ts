/**
 * Text that a person reads in the window and that no catalogue has. Found in the syntax tree: text between tags, values of
 * attributes and properties that are shown, and strings that read as a phrase.
 */
import { parse } from '@babel/parser';
import type { Node, StringLiteral, TemplateLiteral } from '@babel/types';

export interface VisibleText {
  node: Node;
  parents: readonly Node[];
  line: number;
  text: string;
}

/** Attributes and properties whose value is shown. */
const SHOWN =
  /^(label|title|placeholder|alt|aria-(label|description|roledescription|valuetext)|description|detail|details|hint|means|about|unit|zero|header|heading|sentence|todo|note|sub|message|question|problem|echo|text|reason|summary|caption|verb|noun|done|confirm|confirmLabel|emptyText|legend|tooltip|cannot|refusal|says|subtitle|lead|body)$/;
/** Attributes and properties whose value is never shown, in any form. */
const HIDDEN =
  /^(className|cellClassName|classNames|id|key|type|role|variant|icon|style|d|viewBox|transform|points|rel|href|src|htmlFor|font|fill|stroke|queryKey|mutationKey|accessorKey|sql|url|path|method|autoComplete|inputMode|list|form|pattern|tag|kind|value|tone|group|shortcut|keys|colour|color|code|media|accept|gridTemplateColumns|data-.*|aria-(describedby|labelledby|controls|live|current|haspopup|sort|autocomplete|orientation|relevant|pressed|keyshortcuts))$/;
/** Calls whose arguments are not shown. */
const HIDDEN_CALLS =
  /^(Error|TypeError|RangeError|Set|Map|RegExp|URL|Headers|Intl\.\w+|console\.\w+|querySelector(All)?|closest|matches|matchMedia|mediaQueryStore|getElementById|getItem|setItem|removeItem|addEventListener|removeEventListener|dispatchEvent|CustomEvent|setAttribute|getAttribute|createElement|getContext|includes|startsWith|endsWith|split|join|indexOf|lastIndexOf|match|matchAll|test|replace|replaceAll|padStart|padEnd|has|get|delete|supports|postMessage|import|fetch|literal|enum|action|place|openDialog|trySampleData|of|plural|select|selectOrdinal|ph|t|msg|defineMessage)$/;
const MACRO_ELEMENTS = /^(Trans|Plural|Select|SelectOrdinal)$/;
const MACRO_TAGS = /^(t|msg|defineMessage)$/;

/** Names of products, formats, fields and units, and of keys as they are printed: the same in every language. */
const NAME =
  /^(_id|Sandglass|UTC|Embedded|MongoDB|ArangoDB|CockroachDB|Macrometa|SQLite|REST|HTTP|JSON|NDJSON|CSV|CEL|TTL|Markdown|cURL|curl|ms|s|h|d|Ctrl|Alt|Shift|Esc|Del|Space|Enter|Home|End|PgUp|PgDn|((Ctrl|Alt|Shift|⇧|[A-Z0-9+]|[←→↑↓↵⌫]) ?)+)$/;

const LETTER = /\p{L}/u;
/** Two words separated by a space, one of them with at least three letters: `of its`, `42 documents`. */
const PHRASE = /(^|[^\p{L}])\p{L}{3,}[,.:;?!…’”)]*(\s|$)/u;
const CODE = /[{};=<>[\]]|^[Mm][\d. -]|\bvar\(|px\b|^[\w-]+(\.[\w-]+)+$|^#|^\/|^\w+:\/\//;

/** Returns whether a string outside tags looks like text for people: words with spaces, or one capitalised word. */
function readsAsText(text: string): boolean {
  const trimmed = text.replaceAll('\0', '').trim();
  if (!LETTER.test(trimmed) || CODE.test(trimmed)) return false;
  const spaced = /\S\s+\S|^\s\S|\S\s$/.test(text);
  if (spaced) return PHRASE.test(text.replaceAll('\0', ' ')) || /\p{L}{2,}/u.test(trimmed);
  return /^\p{Lu}\p{Ll}{2,}…?[.:]?$/u.test(trimmed);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function childrenOf(node: Node): Node[] {
  return Object.entries(node)
    .filter(([key]) => key !== 'loc' && !key.endsWith('omments') && key !== 'extra')
    .flatMap(([, value]) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []));
}

const nameOf = (node: Node): string => {
  switch (node.type) {
    case 'Identifier':
    case 'JSXIdentifier':
      return node.name;
    case 'StringLiteral':
      return node.value;
    case 'MemberExpression':
      return nameOf(node.property);
    case 'OptionalMemberExpression':
      return nameOf(node.property);
    default:
      return '';
  }
};

const textOf = (node: StringLiteral | TemplateLiteral): string =>
  node.type === 'StringLiteral'
    ? node.value
    : node.quasis.map(({ value }) => value.cooked ?? value.raw).join('\0');

/** Expression whose value is the value of one of its branches. */
const PASSES =
  /^(ConditionalExpression|LogicalExpression|TSAsExpression|TSSatisfiesExpression|ParenthesizedExpression)$/;

/** Returns whether the string is shown, by its position; undefined if only its content can tell. */
function isShownBy(node: Node, parents: readonly Node[]): boolean | undefined {
  let child: Node = node;
  for (const parent of parents.toReversed()) {
    if (PASSES.test(parent.type)) {
      if (parent.type === 'ConditionalExpression' && parent.test === child) return false;
      child = parent;
      continue;
    }
    switch (parent.type) {
      case 'JSXExpressionContainer': {
        const owner = parents[parents.indexOf(parent) - 1];
        if (owner?.type !== 'JSXAttribute') return true;
        child = parent;
        continue;
      }
      case 'JSXAttribute': {
        const name = nameOf(parent.name);
        return SHOWN.test(name) ? true : HIDDEN.test(name) ? false : undefined;
      }
      case 'ObjectProperty': {
        if (parent.key === child) return false;
        const name = nameOf(parent.key);
        return SHOWN.test(name) ? true : HIDDEN.test(name) ? false : undefined;
      }
      case 'BinaryExpression':
        return parent.operator === '+' ? undefined : false;
      case 'SwitchCase':
        return parent.test === child ? false : undefined;
      case 'CallExpression':
      case 'OptionalCallExpression':
      case 'NewExpression':
        if (parent.callee === child) return false;
        return HIDDEN_CALLS.test(nameOf(parent.callee)) ? false : undefined;
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return parent.property === child ? false : undefined;
      case 'ArrayExpression':
        child = parent;
        continue;
      case 'TemplateLiteral':
      case 'AssignmentPattern':
      case 'VariableDeclarator':
      case 'ArrowFunctionExpression':
      case 'ReturnStatement':
        return undefined;
      default:
        return /^(TS|Import|Export|Directive)/.test(parent.type) ? false : undefined;
    }
  }
  return undefined;
}

/** An element, property or attribute below which nothing is text for people. */
function isHidden(node: Node, parent: Node | undefined): boolean {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAnnotation':
    case 'TSTypeParameterInstantiation':
    case 'TSLiteralType':
      return true;
    case 'JSXAttribute':
      return HIDDEN.test(nameOf(node.name)) && parent?.type === 'JSXOpeningElement';
    default:
      return false;
  }
}

function parseSource(source: string) {
  return parse(source, { sourceType: 'module', plugins: ['typescript', 'jsx'] });
}

/** Returns the visible texts of one source file that are outside of the catalogue, in order. */
export function visibleTexts(source: string): VisibleText[] {
  const found: VisibleText[] = [];
  const report = (node: Node, parents: readonly Node[], text: string) => {
    found.push({ node, parents, line: node.loc?.start.line ?? 0, text: text.replaceAll('\0', '…').trim() });
  };
  const visit = (node: Node, parents: readonly Node[], inMessage: boolean): void => {
    if (isHidden(node, parents.at(-1))) return;
    let within = inMessage;
    if (node.type === 'JSXElement' && MACRO_ELEMENTS.test(nameOf(node.openingElement.name))) within = true;
    // Within a message, values of placeholders and attributes are text of their own.
    else if (node.type === 'JSXExpressionContainer' || node.type === 'JSXAttribute') {
      const owner = parents.at(-1);
      const isOfMacro = owner?.type === 'JSXOpeningElement' && MACRO_ELEMENTS.test(nameOf(owner.name));
      within = isOfMacro || (owner?.type === 'JSXAttribute' && inMessage);
    }
    if (node.type === 'JSXText') {
      if (!within && /\p{L}{2,}/u.test(node.value) && !NAME.test(node.value.trim()))
        report(node, parents, node.value);
      return;
    }
    if (node.type === 'StringLiteral' || node.type === 'TemplateLiteral') {
      const parent = parents.at(-1);
      const isTagged = parent?.type === 'TaggedTemplateExpression';
      if (!(within || isTagged || isInMacroCall(parents))) {
        const text = textOf(node);
        if (NAME.test(text)) return;
        const shown = isShownBy(node, parents);
        if (
          shown !== false &&
          (shown === true
            ? /\p{L}{2,}|^\p{L}$/u.test(text) && !/^\0?[a-z]+([A-Z-][a-z]+)+$/.test(text)
            : readsAsText(text))
        )
          report(node, parents, text);
      }
    }
    if (node.type === 'TaggedTemplateExpression' && !MACRO_TAGS.test(nameOf(node.tag))) return;
    for (const child of childrenOf(node)) visit(child, [...parents, node], within);
  };
  visit(parseSource(source).program, [], false);
  return found;
}

/** Strings of `plural(n, { one: '…' })` and `t({ message: '…' })`. */
function isInMacroCall(parents: readonly Node[]): boolean {
  const call = parents.at(-3);
  return call?.type === 'CallExpression' && /^(plural|select|selectOrdinal|ph|t)$/.test(nameOf(call.callee));
}
