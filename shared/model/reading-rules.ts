/**
 * Version of the rules by which documents are read into reference times [D2 to D8]. The entry of a document in a TTL
 * index is found by reading the document again, so a store records the version with which each index was built, and
 * rebuilds an index of another version when it is opened (index-renewal.ts). A follower and its leader must have the
 * same version.
 *
 * Raise it by one with every change that gives any document another reference time or another reason for having none:
 * in reading dates, numbers and formats, in the table of time zones (dates/zone-table.ts), in the value of a CEL
 * function or operator, in the cost limit of an expression, in parsing a stored body. Do not raise it for a change that
 * only makes reading faster.
 */
export const READING_RULES_VERSION = 2;
