/**
 * The version of the rules by which documents are read into reference times [D2 to D8]. An entry of a TTL index is found
 * again only by reading its document again, so a store records with which version each index was built, and builds an index
 * of another version anew when it is opened (index-renewal.ts). A follower and its leader must have the same.
 *
 * Raise it by one with every change by which some document, however unlikely, gets another reference time or another
 * reason for having none: how dates, numbers and formats are read, what a CEL function or operator gives, what an
 * expression may cost, what a stored body is parsed to. What only makes reading faster leaves it as it is.
 */
export const READING_RULES_VERSION = 2;
