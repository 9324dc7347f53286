import type { Transaction } from '../tables/transaction.ts';
import type { Writer } from '../write/writer.ts';

/** Runs `work` in one transaction that changes the definition of a collection or of its indexes. */
export function define(writer: Writer, name: string, work: (transaction: Transaction) => void): void {
  writer.transact(transaction => noted(transaction, name, work));
}

/** Like `define`, but allowed while the disk is full [S1]. */
export function defineOnFullDisk(
  writer: Writer,
  name: string,
  work: (transaction: Transaction) => void,
): void {
  writer.transactOnFullDisk(transaction => noted(transaction, name, work));
}

function noted(transaction: Transaction, name: string, work: (transaction: Transaction) => void): void {
  work(transaction);
  transaction.note({ collection: name, kind: 'definition', id: name });
}
