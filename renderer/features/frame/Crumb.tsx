import { useLive } from '../../api.ts';
import { toCollection, toOverview, usePlace } from '../../components/location.ts';

/** Where one is: the page, or the store and the collection in it. */
export function Crumb() {
  const { path } = usePlace();
  const store = useLive(state => state.store?.name ?? '');
  const collection = path[0] === 'collections' ? path[1] : undefined;
  const editing = path[3] === 'new' ? 'New TTL index' : path[3] === 'edit' ? 'TTL index' : null;
  if (collection === undefined) {
    return (
      <div className="crumb">
        <b>Overview</b>
        <span className="ell">{store}</span>
      </div>
    );
  }
  return (
    <div className="crumb">
      <a href={toOverview} className="ell store">
        {store}
      </a>
      <span>/</span>
      {editing === null ? (
        <b className="ell" title={collection}>
          {collection}
        </b>
      ) : (
        <>
          <a className="ell" href={toCollection(collection)} title={collection}>
            {collection}
          </a>
          <span>/</span>
          <b>{editing}</b>
        </>
      )}
    </div>
  );
}
