import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { permits } from '../../../shared/contract/permissions.ts';
import type { TokenRecord } from '../../../shared/contract/tokens.ts';
import { formatInstantInFull } from '../../../shared/model/format.ts';
import { client, problemOf, useChange, useLive } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import { Note } from '../../components/status/Note.tsx';
import { useAtTick, useZone } from '../../components/time/clock.ts';
import { Ago, Upcoming } from '../../components/time/Time.tsx';
import { NewToken } from './NewToken.tsx';
import { RevokeToken } from './RevokeToken.tsx';

const TOKENS_KEY = ['tokens'];

/** Access over HTTP by token [P1]. Listed only with the permission `configure`. */
export function AccessTokens() {
  const may = useLive(({ store }) => store !== null && permits(store.permission, 'configure'));
  return (
    <section className="settings-group" aria-label="Access tokens">
      <h2 className="t-semi">Access tokens</h2>
      <p className="t-2 settings-about">
        Programs and other people reach this store over HTTP with a token. Each permission includes the ones
        before: read, write, configure. Follow lets another host mirror the store, and nothing else.
      </p>
      {may ? (
        <Tokens />
      ) : (
        <p className="settings-refusal t-2">
          <Icon name="lock" size={14} /> Tokens need the permission configure.
        </p>
      )}
    </section>
  );
}

/** The end of a token; an expired one is refused, and listed until it is revoked. */
function Ends({ at }: { at: number }) {
  const [zone] = useZone();
  const isOver = useAtTick(now => at <= now);
  if (!isOver) return <Upcoming at={at} />;
  return (
    <span className="c-overdue" title={formatInstantInFull(at, zone)}>
      ended
    </span>
  );
}

function Tokens() {
  const { data, error } = useQuery({
    queryKey: TOKENS_KEY,
    queryFn: () => client.tokens.list(),
    staleTime: 0,
  });
  // A mirror has its own tokens; a read-only store cannot store new ones.
  const isReadOnly = useLive(({ store }) => store?.readOnly === true);
  const queries = useQueryClient();
  const refresh = () => void queries.invalidateQueries({ queryKey: TOKENS_KEY });
  const [revoking, setRevoking] = useState<TokenRecord | null>(null);
  const revoke = useChange({
    mutationFn: ({ name }: TokenRecord) => client.tokens.revoke({ name }),
    onSuccess: () => setRevoking(null),
    onSettled: refresh,
  });
  if (error !== null) return <Note tone="bad">No tokens. {problemOf(error).message}</Note>;
  if (data === undefined) return <div aria-busy="true" />;
  return (
    <>
      {data.length === 0 ? (
        <p className="t-3 settings-none">
          No tokens yet. Only this window, and the link it was opened with, have access.
        </p>
      ) : (
        <div className="settings-table">
          <table className="tbl tokens">
            <caption className="sr">Access tokens</caption>
            <colgroup>
              <col />
              <col className="permission" />
              <col className="time" span={3} />
              <col className="revoke" />
            </colgroup>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Permission</th>
                <th scope="col">Created</th>
                <th scope="col">Last used</th>
                <th scope="col">Ends</th>
                <th scope="col">
                  <span className="sr">Revoke</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map(token => (
                <tr key={token.name}>
                  <td className="t-semi" title={token.name}>
                    {token.name}
                  </td>
                  <td>{token.permission}</td>
                  <td className="t-2" title={`by ${token.createdBy}`}>
                    <Ago at={token.createdAt} />
                  </td>
                  <td className="t-2">
                    {token.lastUsedAt === null ? 'never' : <Ago at={token.lastUsedAt} />}
                  </td>
                  <td className="t-2">
                    {token.expiresAt === null ? 'never' : <Ends at={token.expiresAt} />}
                  </td>
                  <td className="num">
                    <Button
                      small
                      variant="ghost"
                      disabled={isReadOnly}
                      aria-label={`Revoke ${token.name}`}
                      onClick={() => setRevoking(token)}
                    >
                      Revoke…
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isReadOnly ? (
        <p className="settings-refusal t-2">
          <Icon name="lock" size={14} /> This connection is read-only: tokens cannot be created or revoked.
        </p>
      ) : (
        <NewToken onMade={refresh} />
      )}
      <RevokeToken
        token={revoking}
        problem={revoke.error === null ? null : problemOf(revoke.error).message}
        busy={revoke.isPending}
        onClose={() => {
          setRevoking(null);
          revoke.reset();
        }}
        onRevoke={token => revoke.mutate(token)}
      />
    </>
  );
}
