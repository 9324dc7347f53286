import { useLive } from '../../api.ts';
import { toOverview, usePlace } from '../../components/location.ts';

/** Where one is: the page, or the store and the collection in it. */
export function Crumb() {
  const { path } = usePlace();
  const store = useLive(state => state.store?.name ?? '');
  const collection = path[0] === 'collections' ? path[1] : undefined;
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
      <b className="ell" title={collection}>
        {collection}
      </b>
    </div>
  );
}
