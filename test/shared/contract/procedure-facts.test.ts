import { type ContractRouter, isContractProcedure, oc } from '@orpc/contract';
import { expect, test } from 'vitest';
import { contract } from '../../../shared/contract/index.ts';
import { PERMISSIONS, permits } from '../../../shared/contract/permissions.ts';
import { type ProcedureMeta, procedure } from '../../../shared/contract/procedure-builder.ts';
import { PROCEDURES } from '../../../shared/contract/procedure-facts.ts';

const named = (choose: (meta: ProcedureMeta) => boolean) =>
  [...PROCEDURES].flatMap(([name, meta]) => (choose(meta) ? [name] : [])).sort();

test('a procedure that omits its permission, `writes` or its feature does not compile', () => {
  // @ts-expect-error permission is missing
  procedure({ writes: true, feature: null });
  // @ts-expect-error writes is missing
  procedure({ permission: 'read', feature: null });
  // @ts-expect-error feature is missing
  procedure({ permission: 'read', writes: false });
  const stated = { stated: procedure({ permission: 'read', writes: false, feature: null }) };
  expect(stated satisfies ContractRouter<ProcedureMeta>).toBeDefined();
  const silent = { silent: oc.route({ method: 'GET', path: '/silent' }) };
  // @ts-expect-error a procedure made without `procedure` is no part of the contract
  expect(silent satisfies ContractRouter<ProcedureMeta>).toBeDefined();
});

test('every procedure of the contract is listed with its metadata', () => {
  for (const [domain, group] of Object.entries(contract)) {
    for (const [name, one] of Object.entries(group)) {
      if (!isContractProcedure(one)) throw new Error(`${domain}.${name} is no procedure.`);
      const facts = PROCEDURES.get(`${domain}.${name}`);
      expect(facts, `${domain}.${name}`).toMatchObject(one['~orpc'].meta);
      expect(typeof facts?.writes, `${domain}.${name}`).toBe('boolean');
      if (one['~orpc'].route.method === 'GET') expect(facts?.writes, `${domain}.${name}`).toBe(false);
    }
  }
});

test('[P1] no procedure that requires only read writes', () => {
  expect(named(({ permission, writes }) => permission === 'read' && writes)).toEqual([]);
});

test('[P2] only these procedures above read write nothing to the store', () => {
  expect(named(({ permission, writes }) => permission !== 'read' && !writes)).toEqual([
    'alerts.webhook',
    'connections.add',
    'connections.change',
    'connections.close',
    'connections.files',
    'connections.open',
    'connections.remove',
    'connections.secretStorage',
    'connections.test',
    'mirror.change',
    'tokens.get',
    'tokens.list',
    'tokens.noteRefusal',
    'tokens.whose',
  ]);
});

test('[P1] each permission includes the ones before it; follow is included in configure alone', () => {
  const included = PERMISSIONS.map(has => [has, PERMISSIONS.filter(needed => permits(has, needed))]);
  expect(Object.fromEntries(included)).toEqual({
    read: ['read'],
    write: ['read', 'write'],
    configure: ['read', 'write', 'configure', 'follow'],
    follow: ['follow'],
  });
});
