import type { DiskKind, DiskState } from '../../lib/api/schemas.ts'
import { Bytes, bytesText } from '../../ui/bytes.tsx'
import { classes } from '../../ui/classes.ts'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { CleanUp } from './clean-up.tsx'
import { KeptLonger } from './kept-longer.tsx'
import { kindLooks } from './kinds.ts'
import { SpaceBar } from './space-bar.tsx'

/** What a number is where there is none. */
const absent = <span className="text-ink-2">–</span>

const columns: readonly TableColumn<DiskKind>[] = [
  {
    id: 'kind',
    title: 'Kind',
    cell: ({ kind, isHere }) => (
      <>
        <span
          aria-hidden="true"
          className={classes(
            'mr-2 inline-block size-2 rounded-small',
            isHere ? kindLooks[kind].fill : 'bg-transparent',
          )}
        />
        {kindLooks[kind].label}
        {!isHere && <span className="text-ink-2"> on another disk</span>}
      </>
    ),
  },
  {
    id: 'bytes',
    title: 'Takes',
    width: 92,
    align: 'right',
    cell: ({ bytes }) => (bytes === null ? <span className="text-warn">unknown</span> : <Bytes value={bytes} />),
  },
  {
    id: 'growth',
    title: 'A day',
    width: 100,
    align: 'right',
    cell: ({ growthBytesPerDay: growth }) => (growth === null ? absent : <Growth bytes={growth} />),
  },
  {
    id: 'days',
    title: 'Kept',
    width: 108,
    align: 'right',
    from: 'narrow',
    cell: ({ kind, days }) => (days !== null ? `${days} days` : isLimited(kind) ? 'for good' : absent),
  },
  {
    id: 'budget',
    title: 'Budget',
    width: 108,
    align: 'right',
    from: 'narrow',
    cell: ({ kind, bytes, budgetBytes }) =>
      budgetBytes === null ? (
        isLimited(kind) ? (
          <span className="text-ink-2">none</span>
        ) : (
          absent
        )
      ) : (
        <span className={bytes !== null && bytes > budgetBytes ? 'text-warn' : undefined}>
          <Bytes value={budgetBytes} />
        </span>
      ),
  },
]

const limited: ReadonlySet<DiskKind['kind']> = new Set(['recordings', 'events', 'requests', 'history', 'errors'])
const isLimited = (kind: DiskKind['kind']): boolean => limited.has(kind)

const isKeptRestorePoints = ({ kind, bytes }: DiskKind): boolean =>
  kind === 'restore points' && bytes !== null && bytes > 0

function Growth({ bytes }: { readonly bytes: number }) {
  const rounded = Math.round(bytes)
  if (rounded === 0) return <>0 B</>
  return (
    <span className="tabular whitespace-nowrap">
      {rounded < 0 ? '−' : '+'}
      {bytesText(Math.abs(rounded))}
    </span>
  )
}

/** How the disk is, what takes its space, and the latest clean-up. */
export function DiskView({ disk }: { readonly disk: DiskState }) {
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <Standing disk={disk} />
      <Table
        label="What takes space"
        columns={columns}
        rows={disk.kinds}
        rowKey={({ kind }) => kind}
        className="flex-none"
      />
      <CleanUp run={disk.run} hasRestorePoints={disk.kinds.some(isKeptRestorePoints)} />
      <KeptLonger />
    </div>
  )
}

function Standing({ disk }: { readonly disk: DiskState }) {
  return (
    <section aria-label="How the disk is" className="grid shrink-0 gap-3 border-line border-b p-4">
      {disk.isShort && (
        <p role="alert" className="max-w-[80ch] text-danger">
          Events, recordings and files are refused, and requests are not recorded: {bytesText(disk.freeBytes)} are free,
          and {bytesText(disk.reserveBytes)} are left to the databases. Make room, or give the data directory a larger
          disk; then they are taken again by themselves.
        </p>
      )}
      <p className="text-lg">
        <Forecast disk={disk} />
      </p>
      <SpaceBar disk={disk} />
    </section>
  )
}

function Forecast({ disk: { kinds, fullAt } }: { readonly disk: DiskState }) {
  if (kinds.every(({ growthBytesPerDay }) => growthBytesPerDay === null))
    return <>The forecast begins after a day of measuring.</>
  if (fullAt === null) return <>At the pace of the last two weeks the disk is not full within ten years.</>
  return (
    <>
      At the pace of the last two weeks the disk is full on <FullDay at={fullAt} />.
    </>
  )
}

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })

function FullDay({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} className="whitespace-nowrap font-semibold">
      {days.format(new Date(at))}
    </time>
  )
}
