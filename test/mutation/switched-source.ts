/** One place of a source and the texts that replace it. */
export interface Site {
  readonly start: number;
  readonly end: number;
  /** `property`: the name of a method, with its dot. */
  readonly form: 'expression' | 'statement' | 'property';
  readonly variants: { readonly text: string; readonly id: number }[];
}

/** Returns the source with each site as a choice by `__mutant(id)`, which is true for the active mutant. */
export function switched(source: string, sites: readonly Site[]): string {
  const order = sites.toSorted((a, b) => a.start - b.start || b.end - a.end || rank(a) - rank(b));
  let next = 0;
  const render = (from: number, to: number): string => {
    let text = '';
    let at = from;
    for (let site = order[next]; site !== undefined && site.start < to; site = order[next]) {
      next += 1;
      text += source.slice(at, site.start) + choice(site, render(site.start, site.end));
      at = site.end;
    }
    return text + source.slice(at, to);
  };
  return render(0, source.length);
}

const rank = ({ form }: Site) => (form === 'statement' ? 0 : 1);

function choice({ form, variants }: Site, original: string): string {
  if (form === 'statement') {
    return `{if (!(${variants.map(({ id }) => `__mutant(${id})`).join(' || ')})) {${original}}}`;
  }
  if (form === 'property') {
    const names = variants.map(({ id, text }) => `__mutant(${id}) ? '${text.slice(1)}' : `).join('');
    return `[${names}'${original.slice(1)}']`;
  }
  return `(${variants.map(({ id, text }) => `__mutant(${id}) ? (${text}) : `).join('')}(${original}))`;
}
