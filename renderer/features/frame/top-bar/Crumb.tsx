import { t } from '@lingui/core/macro';
import { useCurrentConnection, useLive } from '../../../api.ts';
import { toCollection, toOverview, usePlace } from '../../../components/navigation/location.ts';

/** Titles of pages about the whole store. */
const TITLES: Readonly<Record<string, string>> = {
  activity: t`Activity`,
  health: t`Health`,
  settings: t`Settings`,
  connections: t`Connections`,
};

/** The current page, or the store and its collection. In a narrow window the store's name is hidden first. */
export function Crumb() {
  const { path } = usePlace();
  const named = useLive(state => state.store?.name ?? '');
  const store = useCurrentConnection()?.name ?? named;
  const collection = path[0] === 'collections' ? path[1] : undefined;
  const editing = path[3] === 'new' ? t`New TTL index` : path[3] === 'edit' ? t`TTL index` : null;
  if (collection === undefined) {
    return (
      <div className="crumb">
        <b className="here">{TITLES[path[0] ?? ''] ?? t`Overview`}</b>
        <span className="ell store" title={store}>
          {store}
        </span>
      </div>
    );
  }
  return (
    <div className="crumb">
      <a href={toOverview()} className="ell store" title={store}>
        {store}
      </a>
      <span className="store-end">/</span>
      {editing === null ? (
        <b className="ell name" title={collection}>
          {collection}
        </b>
      ) : (
        <>
          <a className="ell name" href={toCollection(collection)} title={collection}>
            {collection}
          </a>
          <span>/</span>
          <b className="here">{editing}</b>
        </>
      )}
    </div>
  );
}
