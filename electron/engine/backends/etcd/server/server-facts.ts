import type { EtcdClient } from '../connection/etcd-client.ts';
import { isCode } from '../connection/etcd-failure.ts';
import { alarmsReply, membersReply, type StatusReply, statusReply } from '../connection/replies.ts';

/** Facts of the member that answered, and of its cluster. */
export interface ServerFacts {
  readonly version: string;
  readonly clusterId: string;
  readonly memberId: string;
  /** Latest revision of the cluster. */
  readonly revision: number;
  /** Null: the cluster has no leader at present. */
  readonly leaderId: string | null;
  readonly raftTerm: number;
  readonly dbBytes: number;
  /** Bytes of the database that are not free pages. */
  readonly dbBytesInUse: number;
  /** Null: not reported before etcd 3.6. */
  readonly quotaBytes: number | null;
}

/** Facts that a user may lack the permission for; each is then null. */
export interface ClusterFacts {
  readonly members:
    | readonly { readonly id: string; readonly name: string; readonly isLearner: boolean }[]
    | null;
  /** Raised alarms, such as NOSPACE: the database is over its quota, and the cluster takes no writes. */
  readonly alarms: readonly { readonly memberId: string; readonly alarm: string }[] | null;
}

export async function readServerFacts(client: EtcdClient): Promise<ServerFacts> {
  return serverFactsOf(await client.call('maintenance/status', {}, statusReply));
}

function serverFactsOf(status: StatusReply): ServerFacts {
  const { header, version, leader, raftTerm, dbSize, dbSizeInUse, dbSizeQuota } = status;
  return {
    version,
    clusterId: header.cluster_id,
    memberId: header.member_id,
    revision: header.revision,
    leaderId: leader === '0' ? null : leader,
    raftTerm,
    dbBytes: dbSize,
    dbBytesInUse: dbSizeInUse,
    quotaBytes: dbSizeQuota === 0 ? null : dbSizeQuota,
  };
}

export async function readClusterFacts(client: EtcdClient): Promise<ClusterFacts> {
  const members = await permitted(client.call('cluster/member/list', {}, membersReply));
  const alarms = await permitted(client.call('maintenance/alarm', { action: 'GET' }, alarmsReply));
  return {
    members: members?.members.map(({ ID, name, isLearner }) => ({ id: ID, name, isLearner })) ?? null,
    alarms: alarms?.alarms.map(({ memberID, alarm }) => ({ memberId: memberID, alarm })) ?? null,
  };
}

async function permitted<Value>(call: Promise<Value>): Promise<Value | null> {
  try {
    return await call;
  } catch (error) {
    if (isCode(error, 'PERMISSION_DENIED')) return null;
    throw error;
  }
}
