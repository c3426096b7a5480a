import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import type { Experiment, ExperimentResult } from '../../lib/api/schemas.ts'
import { filterText } from '../../lib/filters/property-filter.ts'
import { classes } from '../../ui/classes.ts'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { IntervalLine, type Scale, scaleOf } from './interval-line.tsx'
import { experimentResultQuery } from './queries.ts'
import { chanceText, differenceText, fewPersons, impossibleSplit, valueText } from './result-texts.ts'

type MetricResult = ExperimentResult['metrics'][number]

/** What an experiment came to: who saw what, and what each metric says of it. */
export function ResultView({ experiment }: { readonly experiment: Experiment }) {
  const { data, error, refetch } = useQuery(experimentResultQuery(experiment.id))
  if (error && !data) return <ErrorProblem error={error} onRetry={refetch} />
  if (data === undefined) return <SkeletonRows />
  if (data === null)
    return (
      <Empty title="Not begun yet.">
        <p>From its beginning on, whoever asks for the flag is counted with the variant that they saw.</p>
      </Empty>
    )
  return (
    <div className="grid min-h-0 flex-1 content-start gap-6 overflow-y-auto px-4 py-4">
      {experiment.conclusion && (
        <section aria-label="Conclusion" className="grid max-w-[640px] gap-1">
          <h2 className="font-medium">Concluded: {experiment.conclusion.variant ?? 'no variant'}</h2>
          {experiment.conclusion.note !== '' && <p className="text-ink-2">{experiment.conclusion.note}</p>}
        </section>
      )}
      <Exposure result={data} flagKey={experiment.flagKey} />
      {data.persons > 0 &&
        data.metrics.map((metric) => (
          <Metric
            key={metric.name}
            metric={metric}
            source={experiment.metrics.find(({ name }) => name === metric.name)?.source}
            control={data.control}
          />
        ))}
    </div>
  )
}

const Cell = ({ right = false, head = false, children }: { right?: boolean; head?: boolean; children: ReactNode }) => {
  const Tag = head ? 'th' : 'td'
  return (
    <Tag
      scope={head ? 'col' : undefined}
      className={classes(
        'h-8 border-line border-b px-2 first:pl-0 last:pr-0',
        right ? 'tabular whitespace-nowrap text-right' : 'text-left',
        head && 'whitespace-nowrap font-normal text-ink-2',
      )}
    >
      {children}
    </Tag>
  )
}

interface ExposureProps {
  readonly result: ExperimentResult
  readonly flagKey: string
}

function Exposure({ result, flagKey }: ExposureProps) {
  const { persons, mixed, variants, mismatch, until } = result
  const isEmpty = persons === 0 && mixed === 0
  return (
    <section aria-label="Who saw what" className="grid max-w-[640px] gap-2">
      <h2 className="font-medium">Who saw what</h2>
      <p className="text-ink-2">
        {persons} persons until <Time at={until} />
        {mixed > 0 && `; ${mixed} more saw several variants, and are in no figure`}.
      </p>
      {isEmpty && (
        <>
          <p>A person counts who has asked for the flag since the experiment began. Your application asks like this:</p>
          <Code text={`posthog.getFeatureFlag('${flagKey}')`} copyLabel="Copy the call" />
        </>
      )}
      {mismatch !== null && mismatch < impossibleSplit && (
        <p role="alert" className="text-danger">
          The split is not the one that the flag gives: by chance it comes about {chanceText(mismatch)} of the time.
          Something loses persons of a variant, and the figures below should not be believed.
        </p>
      )}
      {!isEmpty && <Doubts variants={variants} />}
      <table aria-label="Persons by variant" className="w-full border-separate border-spacing-0">
        <thead>
          <tr>
            <Cell head>Variant</Cell>
            <Cell head right>
              Persons
            </Cell>
            <Cell head right>
              Share
            </Cell>
            <Cell head right>
              Of the flag
            </Cell>
          </tr>
        </thead>
        <tbody>
          {variants.map(({ key, persons: count, expectedShare }) => (
            <tr key={key}>
              <Cell>{key}</Cell>
              <Cell right>
                <Link
                  to="/events"
                  search={{ event: '$feature_flag_called', filter: shownFilter(flagKey, key), range: '90d' }}
                  title={`The events that say who was shown ${key}`}
                  className="hover:underline"
                >
                  {count}
                </Link>
              </Cell>
              <Cell right>{persons === 0 ? '—' : valueText(count / persons, 'conversion')}</Cell>
              <Cell right>{valueText(expectedShare, 'conversion')}</Cell>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** What a result of so few persons cannot say yet. */
function Doubts({ variants }: Pick<ExperimentResult, 'variants'>) {
  const without = variants.filter(({ expectedShare }) => expectedShare === 0)
  const few = variants.filter(({ persons, expectedShare }) => expectedShare > 0 && persons < fewPersons)
  const keysOf = (some: typeof variants) => some.map(({ key }) => key).join(' and ')
  return (
    <>
      {without.length > 0 && (
        <p role="alert" className="text-warn">
          The flag gives {keysOf(without)} to no one: nothing can be compared with it. Shares are set on the flag’s
          page.
        </p>
      )}
      {few.length > 0 && (
        <p className="text-warn">
          Fewer than {fewPersons} persons saw {keysOf(few)}: too few to decide by. Intervals are wide, and chances still
          turn.
        </p>
      )}
    </>
  )
}

/** The events by which a client says that it showed the variant. */
const shownFilter = (flagKey: string, variant: string): readonly string[] => [
  filterText({ property: '$feature_flag', operator: 'exact', value: flagKey }),
  filterText({ property: '$feature_flag_response', operator: 'exact', value: variant }),
]

interface MetricProps {
  readonly metric: MetricResult
  /** What is counted; absent where the metric was changed since. */
  readonly source: Experiment['metrics'][number]['source'] | undefined
  readonly control: string
}

function Metric({ metric, source, control }: MetricProps) {
  const { name, kind, variants, unattributed } = metric
  const scale = scaleOf(variants)
  const mark = variants.find(({ key }) => key === control)?.estimate ?? null
  return (
    <section aria-label={name} className="grid gap-2">
      <MetricHeading metric={metric} source={source} />
      <div className="overflow-x-auto">
        <table aria-label={`${name} by variant`} className="w-full min-w-[720px] border-separate border-spacing-0">
          <thead>
            <tr>
              <Cell head>Variant</Cell>
              <Cell head right>
                {kind === 'conversion' ? 'Did it' : 'Persons'}
              </Cell>
              <Cell head right>
                {kind === 'conversion' ? 'Share' : 'Mean'}
              </Cell>
              <Cell head>95 % interval</Cell>
              <Cell head> </Cell>
              <Cell head right>
                To {control}
              </Cell>
              <Cell head right>
                Chance to beat it
              </Cell>
            </tr>
          </thead>
          <tbody>
            {variants.map((variant) => (
              <VariantRow key={variant.key} variant={variant} kind={kind} scale={scale} mark={mark} />
            ))}
          </tbody>
        </table>
      </div>
      {unattributed > 0 && (
        <p className="text-ink-2">{unattributed} others did it without having seen a variant, and are not counted.</p>
      )}
    </section>
  )
}

/** What is counted, and by what. */
function MetricHeading({ metric: { name, kind }, source }: Pick<MetricProps, 'metric' | 'source'>) {
  return (
    <h2 className="font-medium">
      {name}{' '}
      <span className="font-normal text-ink-2">
        {kind === 'conversion' ? 'how many did it' : 'on the average'}
        {source?.type === 'events' && (
          <>
            {', by the event '}
            <Link to="/events" search={{ event: source.event, range: '90d' }} className="mono hover:underline">
              {source.event}
            </Link>
          </>
        )}
        {source?.type === 'rows' && (
          <>
            {', by rows of '}
            <span className="mono">{source.table}</span>
          </>
        )}
      </span>
    </h2>
  )
}

interface VariantRowProps {
  readonly variant: MetricResult['variants'][number]
  readonly kind: MetricResult['kind']
  readonly scale: Scale
  /** Where the control stands. */
  readonly mark: number | null
}

function VariantRow({ variant, kind, scale, mark }: VariantRowProps) {
  return (
    <tr>
      <Cell>{variant.key}</Cell>
      <Cell right>{variant.converted === null ? variant.persons : `${variant.converted} of ${variant.persons}`}</Cell>
      <Cell right>{variant.estimate === null ? '—' : valueText(variant.estimate, kind)}</Cell>
      <Cell>
        <IntervalLine variant={variant} scale={scale} mark={mark} />
      </Cell>
      <Cell>
        <span className="tabular whitespace-nowrap text-ink-2">
          {variant.interval === null
            ? '—'
            : `${valueText(variant.interval.low, kind)} to ${valueText(variant.interval.high, kind)}`}
        </span>
      </Cell>
      <Cell right>
        {variant.difference === null ? (
          <span className="text-ink-2">—</span>
        ) : (
          <span
            className="whitespace-nowrap"
            title={`${differenceText(variant.difference.low, kind)} to ${differenceText(variant.difference.high, kind)} at 95 %`}
          >
            {differenceText(variant.difference.estimate, kind)}
          </span>
        )}
      </Cell>
      <Cell right>
        {variant.chanceToBeat === null ? (
          <span className="text-ink-2">—</span>
        ) : (
          <span className="font-semibold">{chanceText(variant.chanceToBeat)}</span>
        )}
      </Cell>
    </tr>
  )
}
