import { type ContractRouter, isContractProcedure } from '@orpc/contract';
import { type Contract, contract } from './index.ts';
import type { ProcedureMeta } from './procedure-builder.ts';

/** Name of a procedure, as `documents.put`. */
export type ProcedureName = {
  [Domain in keyof Contract]: `${Domain}.${keyof Contract[Domain] & string}`;
}[keyof Contract];

export interface ProcedureFacts extends ProcedureMeta {
  /** A short sentence for a person; the name if the procedure has no route. */
  readonly summary: string;
}

/** Every procedure of the contract, by name. */
export const PROCEDURES: ReadonlyMap<string, ProcedureFacts> = new Map(factsOf(contract));

export function procedureFacts(name: ProcedureName): ProcedureFacts {
  const facts = PROCEDURES.get(name);
  if (facts === undefined) throw new Error(`The contract has no procedure named ${name}.`);
  return facts;
}

function factsOf(
  router: ContractRouter<ProcedureMeta>,
  path: readonly string[] = [],
): [string, ProcedureFacts][] {
  if (isContractProcedure(router)) {
    const { meta, route } = router['~orpc'];
    const name = path.join('.');
    return [[name, { ...meta, summary: route.summary ?? name }]];
  }
  return Object.entries(router).flatMap(([name, child]) => factsOf(child, [...path, name]));
}
