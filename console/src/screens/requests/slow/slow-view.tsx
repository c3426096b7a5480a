import { Link } from '@tanstack/react-router'
import type { SlowStatement, SlowStatements } from '../../../lib/api/schemas.ts'
import { plainSql } from '../../../thread/sql/plain-sql.ts'
import { StatementCode } from '../../../thread/sql/statement-code.tsx'
import { Button, buttonClasses } from '../../../ui/button.tsx'
import { Drawer } from '../../../ui/drawer.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { Select } from '../../../ui/field.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../../ui/table.tsx'
import { Count, Duration, Time } from '../../../ui/time.tsx'
import { lasts } from '../search.ts'
import { orders, type SlowLast, type SlowSearch } from './search.ts'

interface SlowProps {
  /** Absent while it is on its way. */
  readonly found: SlowStatements | undefined
  readonly search: SlowSearch
  readonly onSearch: (search: SlowSearch) => void
}

const times = Object.entries(lasts).flatMap(([value, { label }]) =>
  value === 'all' ? [] : [{ value: value as SlowLast, label }],
)
const orderOptions = Object.entries(orders).map(([value, label]) => ({
  value: value as keyof typeof orders,
  label: `By ${label.charAt(0).toLowerCase()}${label.slice(1)}`,
}))

const numbers = (
  id: 'calls' | 'rows' | 'people' | 'sessions',
  title: string,
  from?: 'sheet' | 'wide',
): TableColumn<SlowStatement> => ({
  ...{ id, title, width: 84, align: 'right' },
  ...(from && { from }),
  cell: (statement) => <Count value={statement[id]} />,
})

const columnsOf = (totalMs: number): readonly TableColumn<SlowStatement>[] => [
  {
    id: 'statement',
    title: 'Statement',
    cell: ({ text }) => {
      const plain = plainSql(text).replaceAll(/\s+/g, ' ')
      return (
        <span title={plain} className="mono">
          {plain}
        </span>
      )
    },
  },
  { id: 'service', title: 'Service', width: 92, from: 'wide', cell: ({ services }) => services.join(', ') || '–' },
  numbers('calls', 'Calls'),
  {
    id: 'total',
    title: 'Total',
    width: 128,
    align: 'right',
    cell: ({ totalMs: ms }) => (
      <span className="inline-grid sheet:grid-cols-[40px_64px] items-center gap-2 text-right">
        <span aria-hidden="true" className="h-2 w-10 rounded-small bg-sunken max-sheet:hidden">
          <span
            className="block h-2 rounded-small bg-series-1"
            style={{ width: `${totalMs === 0 ? 0 : Math.max(2, (ms / totalMs) * 100)}%` }}
          />
        </span>
        <Duration ms={ms} />
      </span>
    ),
  },
  { id: 'p95', title: 'p95', width: 84, align: 'right', from: 'narrow', cell: ({ p95Ms }) => <Duration ms={p95Ms} /> },
  numbers('rows', 'Rows', 'wide'),
  numbers('people', 'People', 'sheet'),
  numbers('sessions', 'Sessions', 'sheet'),
]

/** Which statements take the database's time, and who waits for them. */
export function SlowView({ found, search, onSearch }: SlowProps) {
  const { last = '24h', order = 'total', open } = search
  const { open: _open, ...closed } = search
  const statements = found?.statements ?? []
  const opened = statements.find(({ fingerprint }) => fingerprint === open)
  const totalMs = statements.reduce((sum, statement) => sum + statement.totalMs, 0)
  return (
    <>
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1.5">
        <Select label="Time" value={last} options={times} onChange={(next) => onSearch({ ...closed, last: next })} />
        <Select
          label="Order"
          value={order}
          options={orderOptions}
          onChange={(next) => onSearch({ ...closed, order: next })}
        />
        <span className="ml-auto text-ink-2 text-sm">
          {found?.isCut
            ? 'Of the newest requests of this time only: there are too many to count all.'
            : 'Statements of requests, without their values.'}
        </span>
      </div>
      {found === undefined ? (
        <SkeletonRows rows={14} />
      ) : statements.length === 0 ? (
        <Empty title="No statements in this time.">
          <p>Each statement that a request runs is counted here, with its time and those who waited for it.</p>
          {last !== '7d' && (
            <p>
              <Button onClick={() => onSearch({ ...closed, last: '7d' })}>Look at 7 days</Button>
            </p>
          )}
        </Empty>
      ) : (
        <Table
          label="Slow statements"
          columns={columnsOf(totalMs)}
          rows={statements}
          rowKey={({ fingerprint }) => fingerprint}
          openKey={open}
          onOpen={({ fingerprint }) => onSearch({ ...search, open: fingerprint })}
        />
      )}
      <Drawer open={opened !== undefined} onClose={() => onSearch(closed)} title="Statement">
        {opened && <SlowDetail statement={opened} last={last} />}
      </Drawer>
    </>
  )
}

function SlowDetail({ statement, last }: { readonly statement: SlowStatement; readonly last: SlowLast }) {
  const { fingerprint, text, role, services, calls, errors, totalMs, p50Ms, p95Ms, maxMs, rows } = statement
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
      <StatementCode text={text} />
      <Facts className="border-line border-y py-3">
        <Fact name="Calls">
          <Count value={calls} />
          {errors > 0 && <span className="text-danger"> {errors.toLocaleString('en-GB')} failed</span>}
        </Fact>
        <Fact name="Total">
          <Duration ms={totalMs} />
        </Fact>
        <Fact name="p50, p95, most">
          <Duration ms={p50Ms} />, <Duration ms={p95Ms} />, <Duration ms={maxMs} />
        </Fact>
        <Fact name="Rows">
          <Count value={rows} />
        </Fact>
        <Fact name="Waited for it">
          {statement.people.toLocaleString('en-GB')} {statement.people === 1 ? 'person' : 'people'} in{' '}
          {statement.sessions.toLocaleString('en-GB')} {statement.sessions === 1 ? 'session' : 'sessions'}
        </Fact>
        <Fact name="Role">
          <span className="mono">{role}</span>
        </Fact>
        <Fact name="Service">{services.join(', ') || '–'}</Fact>
        <Fact name="Latest">
          <Time at={statement.latestAt} />
        </Fact>
      </Facts>
      <p className="flex flex-wrap gap-2">
        <Link to="/requests" search={{ statement: fingerprint, last }} className={buttonClasses()}>
          Requests that ran it
        </Link>
        <Link
          to="/requests"
          search={{ statement: fingerprint, last, statementMs: Math.max(1, Math.floor(p95Ms)) }}
          className={buttonClasses()}
        >
          The slowest of them
        </Link>
      </p>
    </div>
  )
}
