import { testContract } from './cases.ts';
import { ENGINES } from './engines.ts';

testContract(ENGINES);
