import { SandglassError } from '../../../../../shared/model/errors.ts';

export function noSuchCollection(collection: string): SandglassError {
  return new SandglassError('COLLECTION_NOT_FOUND', `There is no collection named ${collection}.`, {
    collection,
  });
}

export function noSuchDocument(collection: string, id: string): SandglassError {
  return new SandglassError('DOCUMENT_NOT_FOUND', `${collection} has no document with _id ${id}.`, {
    collection,
    _id: id,
  });
}
