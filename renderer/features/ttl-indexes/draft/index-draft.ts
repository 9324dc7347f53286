import { durationText } from '../../../../shared/model/duration.ts';
import type { TimeUnit } from '../../../../shared/model/reference-time.ts';
import type {
  ExpireAction,
  Limits,
  OnExpire,
  Schedule,
  TtlSource,
} from '../../../../shared/model/ttl-index.ts';

/** The form as it is filled in: text as typed, right or wrong. What is of another choice stays, should it come back. */
export interface IndexDraft {
  kind: TtlSource['kind'];
  field: string;
  unit: TimeUnit;
  /** Whether documents live equally long, or each as long as its field says [D2]. */
  life: 'fixed' | 'own';
  expireAfter: string;
  ttlField: string;
  expression: string;
  /** Null: the suggested one, which follows the rest of the form. */
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
}

/** Where something can be wrong. */
export type Control =
  | 'field'
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
  | 'batchSize';

/** What is wrong, by the control it belongs to. */
export type DraftProblems = Partial<Record<Control, string>>;

/** What was read from some controls, or what is wrong with them. */
export type Read<Value> = { value: Value } | { problems: DraftProblems };

/** All that the form decides, the name apart. */
export interface ChosenDefinition {
  source: TtlSource;
  onExpire: OnExpire;
  schedule: Schedule;
  limits: Limits;
  retention: number | null;
}

export interface ReadDraft {
  /** Null while something about it is wrong. */
  source: TtlSource | null;
  /** Null while anything is wrong, the name apart. */
  definition: ChosenDefinition | null;
  name: string;
  problems: DraftProblems;
}

export interface DraftContext {
  collection: string;
  /** Names of all collections there are. */
  collections: ReadonlySet<string>;
  /** Names that are taken in this collection. */
  taken: ReadonlySet<string>;
  /** The index that is edited keeps its name. */
  editing: string | null;
}

/** `90d`; `0` needs no unit. */
export function typedDuration(seconds: number): string {
  return seconds === 0 ? '0' : durationText(seconds);
}
