import { Link } from '@tanstack/react-router'
import type { FlagSummary } from '../../lib/api/schemas.ts'
import { Dot } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

interface FlagsProps {
  /** Absent while they are on their way. */
  readonly flags: readonly FlagSummary[] | undefined
  /** Narrows the list to flags whose key, description or variants have it. */
  readonly text: string
  readonly onText: (text: string) => void
  readonly onOpen: (flag: FlagSummary) => void
}

const firstUse = `posthog.onFeatureFlags(() => {
  if (posthog.isFeatureEnabled('new-checkout')) showNewCheckout()
})`

/** How many a flag reaches: all of those who match, or some of them. */
function Rollout({ rollout, isTargeted }: Pick<FlagSummary, 'rollout' | 'isTargeted'>) {
  if (rollout === null) return <span className="text-ink-2">no condition</span>
  return (
    <span className="flex items-center gap-2" title={`${rollout} % of ${isTargeted ? 'those who match' : 'all'}`}>
      <span aria-hidden="true" className="h-1.5 w-16 shrink-0 overflow-hidden rounded-full bg-sunken">
        <span className="block h-full rounded-full bg-ink-2" style={{ width: `${rollout}%` }} />
      </span>
      <span className="tabular">{rollout} %</span>
      <span className="truncate text-ink-2">{isTargeted ? 'of some' : 'of all'}</span>
    </span>
  )
}

const columns: readonly TableColumn<FlagSummary>[] = [
  {
    id: 'key',
    title: 'Flag',
    cell: ({ key, description }) => (
      <Link to="/flags/$key" params={{ key }} className="hover:underline" title={description}>
        {key}
        {description !== '' && <span className="text-ink-2 max-sheet:hidden"> {description}</span>}
      </Link>
    ),
  },
  {
    id: 'state',
    title: 'State',
    width: 84,
    cell: ({ active }) => (active ? <Dot tone="ok">active</Dot> : <Dot tone="quiet">off</Dot>),
  },
  {
    id: 'rollout',
    title: 'Rollout',
    width: 224,
    from: 'narrow',
    cell: ({ rollout, isTargeted }) => <Rollout rollout={rollout} isTargeted={isTargeted} />,
  },
  {
    id: 'variants',
    title: 'Variants',
    width: 176,
    from: 'wide',
    cell: ({ variants }) =>
      variants.length === 0 ? (
        <span className="text-ink-2">on or off</span>
      ) : (
        <span className="truncate" title={variants.map(({ key, share }) => `${key} ${share} %`).join(', ')}>
          {variants.map(({ key }) => key).join(', ')}
        </span>
      ),
  },
  {
    id: 'changed',
    title: 'Changed',
    width: 84,
    from: 'sheet',
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
  {
    id: 'by',
    title: 'By',
    width: 168,
    from: 'wide',
    cell: ({ updatedBy }) => <span className="text-ink-2">{updatedBy === '' ? 'SQL' : updatedBy}</span>,
  },
]

/** The flags of the project. */
export function FlagsView({ flags, text, onText, onOpen }: FlagsProps) {
  if (flags === undefined) return <SkeletonRows />
  if (flags.length === 0)
    return (
      <Empty title="No flags yet.">
        <p>
          A flag switches a part of your application on for some people: a share of all, those with a property, or those
          whose row says so. posthog-js asks for flags by itself; your code asks it.
        </p>
        <Code text={firstUse} copyLabel="Copy the code" />
      </Empty>
    )
  const wanted = text.toLowerCase()
  const shown = flags.filter(({ key, description, variants }) =>
    `${key} ${description} ${variants.map((variant) => variant.key).join(' ')}`.toLowerCase().includes(wanted),
  )
  if (shown.length === 0)
    return (
      <Empty title="No flags match this filter.">
        <p>
          <Button onClick={() => onText('')}>Show all flags</Button>
        </p>
      </Empty>
    )
  return <Table label="Flags" columns={columns} rows={shown} rowKey={({ key }) => key} onOpen={onOpen} />
}
