import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ExpectedPolicyFile } from '../../../../electron/engine/files/expected-policy-file.ts';
import { policyDocument } from '../../../../shared/contract/policy.ts';
import { runsHere } from '../../../support/runs-here.ts';
import { NO_SMALL_DISK, smallDisk } from '../../../support/small-disk.ts';

const MIB = 1024 * 1024;
const collections = Object.fromEntries(
  Array.from({ length: 2_000 }, (_, i) => [`collection-${i}`, { ttl: { required: true, longest: 60 } }]),
);
const small = { policy: policyDocument.parse({ version: 1, collections: {} }), by: 'ada', since: 1_000 };
const large = { ...small, policy: policyDocument.parse({ version: 1, collections }) };

describe.runIf(runsHere('a full disk while a policy is kept', NO_SMALL_DISK))(
  'the file of the expected policy',
  () => {
    it('has the former policy if the disk is full, and the next one when there is space', () => {
      const disk = smallDisk(4 * MIB);
      const store = join(disk.folder, 'orders.sandglass');
      const file = new ExpectedPolicyFile(store);
      file.keep(small);
      disk.fill(8_192);
      expect(() => file.keep(large)).toThrow(expect.objectContaining({ code: 'DISK_FULL' }));
      expect(file.current).toEqual(small);
      expect(new ExpectedPolicyFile(store).current).toEqual(small);
      expect(readdirSync(disk.folder).filter(name => name.includes('policy'))).toEqual([
        'orders.sandglass-policy',
      ]);
      disk.empty();
      file.keep(large);
      expect(new ExpectedPolicyFile(store).current).toEqual(large);
    });
  },
);
