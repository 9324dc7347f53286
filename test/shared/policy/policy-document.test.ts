import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_POLICY_BYTES, policyJsonSchema } from '../../../shared/contract/policy.ts';
import { formatPolicyFile, parsePolicyFile } from '../../../shared/policy/policy-document.ts';
import { anyPolicy } from '../../support/policies.ts';

const SCHEMA = new URL('../../../docs/policy.schema.json', import.meta.url);

const parse = (text: string) => () => parsePolicyFile(text);

describe('a policy file', () => {
  it('is YAML or JSON, with durations as text or seconds', () => {
    const yaml = `
version: 1
collections:
  sessions:
    ttlIndexes:
      seen: { source: { kind: field, field: seen, expireAfter: 1h 30m }, retention: 7d }
  "cache:*":
    ttl: { longest: 86400 }
`;
    const read = parsePolicyFile(yaml);
    expect(read).toEqual({
      version: 1,
      collections: {
        sessions: {
          ttlIndexes: {
            seen: {
              source: { kind: 'field', field: 'seen', unit: 'seconds', expireAfter: 5400 },
              onExpire: { action: 'delete' },
              schedule: { mode: 'exact' },
              limits: {},
              retention: 604_800,
            },
          },
        },
        'cache:*': { ttl: { required: false, longest: 86_400 } },
      },
    });
    expect(parsePolicyFile(JSON.stringify(read))).toEqual(read);
  });

  it('is refused with the place of each mistake', () => {
    const refused = (text: string) => expect(parse(text));
    refused('version: 1\ncollections: [').toThrow(/not valid YAML or JSON|no valid YAML/);
    refused('version: 2\ncollections: {}').toThrow('version');
    refused('version: 1\ncollections: { a: {} }').toThrow(
      'collections.a: Give either ttlIndexes, for a collection or table, or ttl, for keys.',
    );
    refused('version: 1\ncollections: { a: { ttl: { longest: 30 days ago } } }').toThrow(
      'collections.a.ttl.longest',
    );
    refused('version: 1\ncollections: { a: { ttl: { requird: true } } }').toThrow('requird');
    refused('version: 1\ncollections: { a: { ttl: { required: false } } }').toThrow('required: true');
    refused('version: 1\ncollections: {}\nconnections: {}').toThrow('The policy is not valid.');
    refused('a: &a [1]\nb: *a').toThrow('Aliases');
    refused('version: 1\ncollections:\n  ? [a]\n  : {}').toThrow(
      'A key is a text, not a list or a map, at line 3.',
    );
    refused('version: 1\nversion: 1\ncollections: {}').toThrow('unique');
  });

  it('has bounds for its size, entries and indexes', () => {
    expect(parse(' '.repeat(MOST_POLICY_BYTES + 1))).toThrow('at most 1 MiB');
    const entries = (count: number) =>
      JSON.stringify({
        version: 1,
        collections: Object.fromEntries(
          Array.from({ length: count }, (_, i) => [`c${i}`, { ttl: { required: true } }]),
        ),
      });
    expect(parse(entries(2_000))).not.toThrow();
    expect(parse(entries(2_001))).toThrow('at most 2000 entries');
  });

  it('is written and read without a change', () => {
    fc.assert(
      fc.property(anyPolicy, fc.constantFrom('yaml' as const, 'json' as const), (policy, format) => {
        expect(parsePolicyFile(formatPolicyFile(policy, format))).toEqual(policy);
        const several = new Map([['one', policy]]);
        expect(parsePolicyFile(formatPolicyFile(several, format))).toEqual({
          version: 1,
          connections: { one: { collections: policy.collections } },
        });
      }),
      { numRuns: 60 },
    );
  });

  it('has the published JSON Schema', () => {
    const schema: unknown = JSON.parse(JSON.stringify(policyJsonSchema()));
    if (process.env.WRITE_POLICY_SCHEMA === '1') writeFileSync(SCHEMA, JSON.stringify(schema, null, 2));
    // The formatter of the project has its own line breaks.
    expect(JSON.parse(readFileSync(SCHEMA, 'utf8'))).toEqual(schema);
  });
});
