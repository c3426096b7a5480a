import type { OperatorAction } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { Chip } from '../../ui/badge.tsx'
import { Empty, NoMatch } from '../../ui/empty.tsx'
import { Select } from '../../ui/field.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import type { TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { Outcome } from './outcome.tsx'
import type { AuditFilter } from './queries.ts'
import { actionKinds } from './search.ts'

interface AuditProps {
  /** Absent while the first page is on its way. */
  readonly list: GrowingList<OperatorAction> | undefined
  readonly filter: AuditFilter
  /** What the filters offer. */
  readonly operators: readonly string[]
  readonly actions: readonly string[]
  readonly openId: string | undefined
  readonly onFilter: (filter: AuditFilter) => void
  readonly onOpen: (action: OperatorAction) => void
  readonly onEnd: () => void
}

const columns: readonly TableColumn<OperatorAction>[] = [
  { id: 'at', title: 'Time', width: 116, cell: ({ at }) => <Time at={at} look="clock" className="mono text-ink-2" /> },
  { id: 'operator', title: 'Operator', width: 200, from: 'narrow', cell: ({ operator }) => operator },
  { id: 'action', title: 'Action', width: 148, cell: ({ action }) => <span className="mono">{action}</span> },
  {
    id: 'target',
    title: 'Of',
    from: 'narrow',
    cell: ({ target }) => <span title={target}>{target}</span>,
  },
  {
    id: 'outcome',
    title: 'Outcome',
    width: 200,
    from: 'wide',
    cell: (action) =>
      action.kind === 'look' ? <span className="text-ink-2">looked at</span> : <Outcome {...action} />,
  },
  {
    id: 'address',
    title: 'From',
    width: 140,
    from: 'full',
    cell: ({ address }) => <span className="mono text-ink-2">{address}</span>,
  },
]

/** What operators did and looked at, newest first; narrowed by operator, action, and the person that it was about. */
export function AuditView({ list, filter, operators, actions, openId, onFilter, onOpen, onEnd }: AuditProps) {
  return (
    <>
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1.5">
        <Choice name="operator" any="Any operator" values={operators} filter={filter} onFilter={onFilter} />
        <Choice name="action" any="Any action" values={actions} filter={filter} onFilter={onFilter} />
        {kinds.map((kind) => (
          <Chip
            key={kind}
            on={filter.kind === kind}
            onToggle={(on) => onFilter(on ? { ...filter, kind } : without(filter, 'kind'))}
          >
            {actionKinds[kind]}
          </Chip>
        ))}
        {filter.about !== undefined && (
          <Chip on onToggle={() => onFilter(without(filter, 'about'))}>
            about the person {filter.about.slice(0, 8)}
          </Chip>
        )}
      </div>
      <ListTable
        label="Actions"
        columns={columns}
        rows={list?.items}
        bars={18}
        rowKey={({ id }) => id}
        onOpen={onOpen}
        openKey={openId}
        onEnd={onEnd}
        none={
          Object.keys(filter).length > 0 ? (
            <NoMatch title="No actions match this filter." all="Show all actions" onAll={() => onFilter({})} />
          ) : (
            <Empty title="Nothing was done yet.">
              <p>
                What operators change in the console, and which persons, recordings, users and mails they open, appears
                here with who it was and from where.
              </p>
            </Empty>
          )
        }
      />
    </>
  )
}

const kinds = ['change', 'look'] as const

function without(filter: AuditFilter, name: 'kind' | 'about'): AuditFilter {
  const { [name]: _, ...rest } = filter
  return rest
}

interface ChoiceProps extends Pick<AuditProps, 'filter' | 'onFilter'> {
  readonly name: 'operator' | 'action'
  readonly any: string
  readonly values: readonly string[]
}

function Choice({ name, any, values, filter, onFilter }: ChoiceProps) {
  const { [name]: value = '', ...rest } = filter
  // A link may name one that the log does not know.
  const known = value === '' || values.includes(value) ? values : [...values, value]
  return (
    <Select
      label={any.replace('Any ', '')}
      value={value}
      options={[{ value: '', label: any }, ...known.map((one) => ({ value: one, label: one }))]}
      onChange={(next) => onFilter(next === '' ? rest : { ...rest, [name]: next })}
      className="max-w-60"
    />
  )
}
