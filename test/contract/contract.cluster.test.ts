import { testContract } from './cases.ts';
import { CLUSTER_ENGINES } from './cluster-engines.ts';

testContract(CLUSTER_ENGINES);
