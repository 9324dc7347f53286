import type { IndexChoices } from '../../../../shared/contract/capabilities.ts';
import { formatExactDuration } from '../../../../shared/model/duration.ts';
import type { TimeUnit } from '../../../../shared/model/reference-time.ts';
import type {
  ExpireAction,
  Limits,
  OnExpire,
  Schedule,
  TtlSource,
} from '../../../../shared/model/ttl-index.ts';
import type { EngineParameters } from './parameters-draft.ts';

/** The form as typed, valid or not. The input of unselected choices is kept. */
export interface IndexDraft {
  kind: TtlSource['kind'];
  field: string;
  unit: TimeUnit;
  /** Formats of date strings, tried in order; none: ISO 8601 [D3]. */
  formats: readonly string[];
  /** The zone of date strings without an offset, with formats; empty: UTC. */
  zone: string;
  /** Either a duration for all documents, or a field that holds the duration of each [D2]. */
  life: 'fixed' | 'own';
  expireAfter: string;
  ttlField: string;
  expression: string;
  /** Null: the suggested name, which follows the rest of the form. */
  name: string | null;
  action: ExpireAction;
  patch: string;
  replacement: string;
  moveTo: string;
  /** Empty: the store's default. */
  retention: string;
  mode: Schedule['mode'];
  every: string;
  cron: string;
  timeZone: string;
  /** Limits as numbers; empty: the store's default. */
  rate: string;
  batchMs: string;
  batchSize: string;
  /** Settings by the engine's own names, as typed; absent or empty: the engine's default. */
  parameters: Readonly<Record<string, string>>;
}

/** Controls that can have a problem. */
export type Control =
  | 'field'
  | 'formats'
  | 'zone'
  | 'ttlField'
  | 'expireAfter'
  | 'expression'
  | 'name'
  | 'patch'
  | 'replacement'
  | 'moveTo'
  | 'retention'
  | 'every'
  | 'cron'
  | 'rate'
  | 'batchMs'
  | 'batchSize'
  | 'parameters';

/** Problems by control. */
export type DraftProblems = Partial<Record<Control, string>>;

/** A value read from controls, or their problems. */
export type Read<Value> = { value: Value } | { problems: DraftProblems };

/** The definition in the form, without its name. */
export interface ChosenDefinition {
  source: TtlSource;
  onExpire: OnExpire;
  schedule: Schedule;
  limits: Limits;
  retention: number | null;
  /** Absent: the engine has none. */
  parameters?: EngineParameters | undefined;
}

export interface ReadDraft {
  /** Null while the form has a problem. */
  source: TtlSource | null;
  /** Null while any input except the name has a problem. */
  definition: ChosenDefinition | null;
  name: string;
  problems: DraftProblems;
}

export interface DraftContext {
  collection: string;
  /** Names of all collections. */
  collections: ReadonlySet<string>;
  /** Names taken in this collection. */
  taken: ReadonlySet<string>;
  /** Name of the edited index, which does not change; null: a new index. */
  editing: string | null;
  choices?: Pick<IndexChoices, 'name' | 'parameters'>;
}

/** Returns a duration as typed text: `90d`; `0` without a unit. */
export function typedDuration(seconds: number): string {
  return seconds === 0 ? '0' : formatExactDuration(seconds);
}
