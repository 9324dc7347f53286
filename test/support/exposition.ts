/** One `# HELP` of Prometheus' text format 0.0.4, with its `# TYPE` and samples. */
export interface Family {
  name: string;
  help: string;
  type: string;
  samples: { name: string; labels: Record<string, string>; value: number }[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/**
 * Reads an exposition as strictly as its format is written: families in one piece, HELP and TYPE before samples, no
 * series twice, every escape one of three. Throws on any violation.
 */
export function parseExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let help: { name: string; text: string } | null = null;
  let family: Family | null = null;
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (comment !== null) {
      const [, kind, name = '', rest = ''] = comment;
      if (!NAME.test(name)) throw new Error(`no name of a metric: ${line}`);
      if (kind === 'HELP') help = { name, text: unescaped(rest, false) };
      else {
        if (help?.name !== name) throw new Error(`TYPE without its HELP: ${line}`);
        if (families.has(name)) throw new Error(`a family in two pieces: ${name}`);
        if (!/^(counter|gauge|histogram|summary|untyped)$/.test(rest)) throw new Error(`no type: ${line}`);
        family = { name, help: help.text, type: rest, samples: [] };
        families.set(name, family);
      }
      continue;
    }
    const sample = parseSample(line);
    if (family === null || !belongs(sample.name, family)) throw new Error(`a sample of no family: ${line}`);
    const series = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
    if (seen.has(series)) throw new Error(`a series twice: ${line}`);
    seen.add(series);
    family.samples.push(sample);
  }
  return families;
}

function belongs(name: string, { name: family, type }: Family): boolean {
  return type === 'histogram'
    ? ['_bucket', '_sum', '_count'].some(suffix => name === family + suffix)
    : name === family;
}

function parseSample(line: string): Family['samples'][number] {
  const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*/.exec(line)?.[0];
  if (name === undefined) throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  let rest = line.slice(name.length);
  if (rest.startsWith('{')) {
    rest = rest.slice(1);
    while (!rest.startsWith('}')) {
      const label = /^([^=]+)="((?:[^"\\]|\\.)*)"(,(?=[a-zA-Z_])|(?=\}))/.exec(rest);
      if (label === null) throw new Error(`labels that cannot be read: ${line}`);
      const [all, key = '', value = ''] = label;
      if (!LABEL_NAME.test(key) || key in labels) throw new Error(`no label, or one twice: ${line}`);
      labels[key] = unescaped(value, true);
      rest = rest.slice(all.length);
    }
    rest = rest.slice(1);
  }
  const value = /^ (\+Inf|-Inf|NaN|[-+]?[0-9.]+(?:e[-+]?[0-9]+)?)$/i.exec(rest)?.[1];
  if (value === undefined) throw new Error(`no value: ${line}`);
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) };
}

function unescaped(text: string, quotes: boolean): string {
  return text.replaceAll(/\\(.)/g, (all, character: string) => {
    if (character === 'n') return '\n';
    if (character === '\\' || (quotes && character === '"')) return character;
    throw new Error(`no escape: ${all}`);
  });
}
