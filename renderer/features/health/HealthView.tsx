import { t } from '@lingui/core/macro';
import { Select } from '@mantine/core';
import { useState } from 'react';
import { type LiveState, useLive } from '../../api.ts';
import { IconButton } from '../../components/controls/Button.tsx';
import { Segmented } from '../../components/controls/Segmented.tsx';
import { Boundary } from '../../components/failure/Boundary.tsx';
import { changeQuery, usePlace } from '../../components/navigation/location.ts';
import { type PageCommand, usePageCommands } from '../../components/navigation/page-commands.ts';
import { useShortcuts } from '../../components/shortcuts/use-shortcuts.ts';
import { useAtTick, useZone } from '../../components/time/clock.ts';
import { formatAgo, formatInstantInFull } from '../../i18n/format.ts';
import { MINUTE_MS, SPANS, type Span } from './charts/grid.ts';
import { FindingsPanel } from './FindingsPanel.tsx';
import { HealthCharts } from './HealthCharts.tsx';
import classes from './health.module.css';
import { ServerFindings } from './ServerFindings.tsx';
import { useSeries } from './use-series.ts';

const LABEL: Record<Span, string> = { '15m': '15 m', '1h': '1 h', '6h': '6 h', '24h': '24 h' };
const SEGMENTS = SPANS.map(value => ({ value, label: LABEL[value] }));

/** Charts beside findings, of the whole store or of one collection. The URL holds the collection and the time span. */
export function HealthView({ collection }: { collection: string | null }) {
  const { query } = usePlace();
  const isRemote = useLive(({ remote }) => remote !== null);
  const series = useSeries(collection, SPANS.find(name => name === query.get('span')) ?? null);
  const asTable = query.get('as') === 'table';
  const [crossAt, setCrossAt] = useState<number | null>(null);
  const toggleTable = () => changeQuery({ as: asTable ? null : 'table' });
  useShortcuts({ t: toggleTable });
  usePageCommands([
    {
      label: asTable ? t`Show charts` : t`Show the charts as a table`,
      icon: 'table',
      shortcut: 'T',
      run: toggleTable,
    },
    ...SPANS.map(
      (span): PageCommand => ({
        label: t`Show ${LABEL[span]} of charts`,
        icon: 'health',
        run: () => changeQuery({ span }),
      }),
    ),
  ]);
  return (
    <>
      <div className={classes.healthHead}>
        <CollectionChoice collection={collection} />
        {crossAt !== null && <When at={crossAt} />}
        <span className="spacer" />
        <span className="t-12 t-3 nowrap">
          {isRemote ? t`one point per minute` : t`one point per minute, exact`}
        </span>
        <Segmented
          label={t`Time shown`}
          value={series.span}
          segments={SEGMENTS}
          onChange={span => changeQuery({ span })}
        />
        <IconButton
          icon="table"
          label={asTable ? t`Show charts` : t`Show as a table`}
          shortcut="T"
          aria-pressed={asTable}
          onClick={toggleTable}
        />
      </div>
      <div className={classes.healthCols}>
        <Boundary name={t`The charts`}>
          <HealthCharts
            collection={collection}
            series={series}
            asTable={asTable}
            crossAt={crossAt}
            onCrossAt={setCrossAt}
          />
        </Boundary>
        <Boundary name={t`Findings`}>
          {isRemote ? <ServerFindings /> : <FindingsPanel collection={collection} />}
        </Boundary>
      </div>
    </>
  );
}

/** A list with more choices can be searched. */
const CHOICES_SHOWN = 200;

const namesOf = ({ collections }: LiveState): string => JSON.stringify([...(collections?.keys() ?? [])]);

/** The names are joined to one string: an equal string does not render again. */
function CollectionChoice({ collection }: { collection: string | null }) {
  const names: string[] = JSON.parse(useLive(namesOf));
  return (
    <Select
      className={classes.healthChoice}
      aria-label={t`Collection`}
      searchable
      value={collection ?? ''}
      data={[{ value: '', label: t`All collections` }, ...names]}
      limit={CHOICES_SHOWN}
      nothingFoundMessage={t`No collection of this name`}
      onChange={name => changeQuery({ collection: name === '' ? null : name }, { replace: false })}
    />
  );
}

/** The minute at the crosshair. Hidden from screen readers, which read the crosshair itself. */
function When({ at }: { at: number }) {
  const [zone] = useZone();
  const ago = useAtTick(now => (now - at < MINUTE_MS ? t`This minute` : formatAgo(now - at)));
  return (
    <span className="t-12 t-2 nowrap ell" aria-hidden="true">
      <b className="t-semi">{ago}</b>, {formatInstantInFull(at, zone)}
    </span>
  );
}
