import { describe, expect, it } from 'vitest';
import { checkAction } from '../../../../electron/engine/expiry/action-check.ts';
import { LARGEST_DOCUMENT_BYTES } from '../../../../shared/model/names.ts';
import type { OnExpire } from '../../../../shared/model/ttl-index.ts';

describe('[A2] a patch on expiry', () => {
  const check = (patch: Extract<OnExpire, { action: 'patch' }>['patch']) => () =>
    checkAction({ action: 'patch', patch }, 'c', () => true);

  it('may be as large as a document, and not larger', () => {
    const room = LARGEST_DOCUMENT_BYTES - '{"text":""}'.length;
    expect(check({ text: 'x'.repeat(room) })).not.toThrow();
    expect(check({ text: 'x'.repeat(room + 1) })).toThrow('larger than a document may be');
    expect(check({ text: 'é'.repeat(room / 2 + 1) })).toThrow('larger than a document may be');
  });
});
